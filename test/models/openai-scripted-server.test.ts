import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hashVector } from '../support/scripted-openai/hash-vector.ts'
import { type ScriptedOpenAi, startScriptedOpenAi } from '../support/scripted-openai.ts'

let model: ScriptedOpenAi
beforeAll(async () => {
  model = await startScriptedOpenAi()
})
afterEach(() => model.reset())
afterAll(() => model.close())

interface Sent {
  readonly system?: string
  readonly user?: string
  readonly tools?: readonly string[]
  readonly force?: string
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
}

async function ask({ system = '', user = '', tools = [], force }: Sent): Promise<unknown> {
  const response = await post('/chat/completions', {
    model: 'm',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    tools: tools.map((name) => ({ type: 'function', function: { name } })),
    ...(force ? { tool_choice: { type: 'function', function: { name: force } } } : {}),
  })
  const answer = (await response.json()) as { choices?: { message: { content: string } }[] }
  return answer.choices?.[0]?.message.content ?? response.status
}

describe('which reply', () => {
  test('once-rules in order, then the newest lasting rule', async () => {
    model.onChat({}, { content: 'old' })
    model.onChat({ user: 'b' }, { content: 'new' })
    model.onChatOnce({ user: /^a/ }, { content: '1' }, { content: '2' })
    model.onChatOnce({ user: 'a' }, { content: '3' })
    const users = ['a', 'b', 'a', 'a', 'a', 'b']
    const replies: unknown[] = []
    for (const user of users) replies.push(await ask({ user }))
    expect(replies).toEqual(['1', 'new', '2', '3', 'old', 'new'])
    model.assertNothingUnscripted()
  })

  test('every field of a pattern must match', async () => {
    model.onChat({ system: 'agent', tool: 'recall', toolChoice: 'done' }, { content: 'yes' })
    const tools = ['recall', 'done']
    expect(await ask({ system: 'an agent', tools, force: 'done' })).toBe('yes')
    expect(await ask({ system: 'an agent', tools })).toBe(500)
    expect(await ask({ system: 'a writer', tools, force: 'done' })).toBe(500)
    expect(await ask({ system: 'an agent', tools: ['done'], force: 'done' })).toBe(500)
  })

  test('a function sees the request; the last message may be a tool result', async () => {
    model.onChat(
      ({ last }) => last === 'q',
      ({ user }) => ({ content: `asked ${user}` }),
    )
    expect(await ask({ user: 'q' })).toBe('asked q')
  })
})

test('what is not scripted gets 500 and is reported', async () => {
  model.assertNothingUnscripted()
  expect(await ask({ user: 'surprise' })).toBe(500)
  expect((await post('/other', {})).status).toBe(500)
  expect(() => model.assertNothingUnscripted()).toThrow(
    /2 requests[\s\S]*surprise[\s\S]*\/v1\/other/,
  )
  expect(model.unscripted).toHaveLength(2)
})

test('a reply that throws is reported too', async () => {
  model.onChat({}, () => {
    throw new Error('script is wrong')
  })
  await expect(ask({})).rejects.toThrow()
  expect(() => model.assertNothingUnscripted()).toThrow('script is wrong')
})

test('a held reply waits', async () => {
  let open = () => {}
  const hold = new Promise<void>((resolve) => {
    open = resolve
  })
  model.onChat({}, { hold, content: 'late' })
  let answered = false
  const call = ask({}).then((content) => {
    answered = true
    return content
  })
  await model.requestNumber(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(answered).toBe(false)
  open()
  expect(await call).toBe('late')
})

test('close ends hanging requests', async () => {
  const other = await startScriptedOpenAi()
  other.onChat({}, { hang: true })
  const body = JSON.stringify({ model: 'm', messages: [] })
  const call = fetch(`${other.url}/chat/completions`, { method: 'POST', body })
  const request = await other.requestNumber(1)
  await Promise.all([other.close(), expect(call).rejects.toThrow()])
  expect(await request.ended).toBe('aborted')
})

test('hash vectors are unit vectors, alike for texts that share words', () => {
  const dot = (a: string, b: string) => {
    const other = hashVector(b, 256)
    return hashVector(a, 256).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
  }
  expect(dot('Ada lives in Oslo', 'ada lives, in oslo!')).toBeCloseTo(1, 9)
  expect(dot('Ada lives in Oslo', 'Ada works in Oslo')).toBeGreaterThan(0.5)
  expect(Math.abs(dot('Ada lives in Oslo', 'quarterly budget review'))).toBeLessThan(0.3)
  expect(hashVector('🙂', 8).every(Number.isFinite)).toBe(true)
})
