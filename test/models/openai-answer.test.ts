import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ScriptedOpenAi, startScriptedOpenAi } from '../support/scripted-openai.ts'
import { modelErrorOf, never, testReasoner } from './openai-helpers.ts'

let model: ScriptedOpenAi
beforeAll(async () => {
  model = await startScriptedOpenAi()
})
afterEach(() => model.reset()) // Hooks run from the last to the first.
afterEach(() => model.assertNothingUnscripted())
afterAll(() => model.close())

const request = {
  prompt: { system: 'Answer from the evidence.', user: 'Where does Ada live?' },
  input: { query: 'Where does Ada live?', evidence: [], maxTokens: 200 },
  signal: never,
}

async function streamed(onText: (delta: string) => void = () => {}, signal = never) {
  const { reasoner } = testReasoner(model.url)
  return reasoner.writeAnswer({ ...request, onText, signal })
}

test('plain: no stream, think block stripped, usage counted', async () => {
  const usage = { prompt_tokens: 11, completion_tokens: 5 }
  model.onChat({}, { content: '<think>hm</think>\nIn Oslo.', usage })
  const answer = await testReasoner(model.url).reasoner.writeAnswer(request)
  expect(answer).toEqual({ value: 'In Oslo.', usage: { inputTokens: 11, outputTokens: 5 } })
  expect(model.chats[0]?.body).not.toHaveProperty('stream')
})

test('an empty answer is "", and the reasoning field where all else is empty', async () => {
  const { reasoner } = testReasoner(model.url)
  model.onChatOnce({}, { content: '' }, { content: '', reasoning: 'In Oslo.' })
  expect((await reasoner.writeAnswer(request)).value).toBe('')
  expect((await reasoner.writeAnswer(request)).value).toBe('In Oslo.')
})

describe('streamed', () => {
  test('the pieces come as they are written and make up the answer', async () => {
    const deltas: string[] = []
    const usage = { prompt_tokens: 11, completion_tokens: 5 }
    model.onChat({}, { chunks: ['In ', 'Oslo', ', with Bo.'], content: 'x', usage })
    const answer = await streamed((delta) => deltas.push(delta))
    expect(deltas).toEqual(['In ', 'Oslo', ', with Bo.'])
    expect(answer).toEqual({
      value: 'In Oslo, with Bo.',
      usage: { inputTokens: 11, outputTokens: 5 },
    })
    expect(model.chats[0]?.body.stream_options).toEqual({ include_usage: true })
  })

  test('thinking is held back, whatever pieces it comes in', async () => {
    const deltas: string[] = []
    const chunks = ['<th', 'ink>secret', ' thoughts</thi', 'nk>\n\nIn <b', '>Oslo']
    model.onChat({}, { chunks })
    const { value } = await streamed((delta) => deltas.push(delta))
    expect(value).toBe('In <b>Oslo')
    expect(deltas.join('')).toBe(value)
    expect(deltas.join('')).not.toContain('secret')
  })

  test('an emoji in two halves stays whole; half of one goes', async () => {
    const deltas: string[] = []
    model.onChat({}, { chunks: ['a \ud83d', '\ude00 b', '\ud83d', ' c'] })
    const { value } = await streamed((delta) => deltas.push(delta))
    expect(value).toBe('a 😀 b c')
    expect(deltas.every((delta) => !/\p{Cs}/u.test(delta))).toBe(true)
  })

  test('an empty stream gives the reasoning, or ""', async () => {
    const deltas: string[] = []
    model.onChatOnce({}, { reasoning: 'In Oslo.' }, { content: '' })
    expect((await streamed((delta) => deltas.push(delta))).value).toBe('In Oslo.')
    expect(deltas).toEqual(['In Oslo.'])
    expect((await streamed()).value).toBe('')
  })

  test('a failure before the first piece is tried again', async () => {
    model.onChatOnce({}, { status: 500 }, { chunks: ['a', 'b'], cutAfter: 0 }, { content: 'Oslo' })
    expect((await streamed()).value).toBe('Oslo')
    expect(model.requests).toHaveLength(3)
  })

  test('a connection lost in the middle is unavailable and not written twice', async () => {
    const deltas: string[] = []
    model.onChat({}, { chunks: ['In ', 'Os', 'lo'], cutAfter: 2 })
    await modelErrorOf(
      streamed((delta) => deltas.push(delta)),
      'unavailable',
    )
    expect(deltas.join('')).toBe('In Os')
    expect(model.requests).toHaveLength(1)
  })

  test('a stream that just ends is not a short answer', async () => {
    model.onChat({}, { content: 'In Os', finishReason: null })
    const error = await modelErrorOf(streamed(), 'unavailable')
    expect(error.message).toContain('before the answer was complete')
  })

  test('an error inside the stream counts as what it says', async () => {
    const line = JSON.stringify({ error: { code: 429, message: 'slow down' } })
    const reply = { rawContent: `data: ${line}\n\n`, contentType: 'text/event-stream' }
    model.onChat({}, reply)
    await modelErrorOf(streamed(), 'rateLimited')
    expect(model.requests).toHaveLength(3)
  })

  test('a broken event is unusable', async () => {
    model.onChat({}, { rawContent: 'data: {"choi\n\n', contentType: 'text/event-stream' })
    const printed = vi.spyOn(console, 'error')
    await modelErrorOf(streamed(), 'unusable')
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
  })

  test('the length limit is truncated', async () => {
    model.onChat({}, { content: 'In Os', finishReason: 'length' })
    await modelErrorOf(streamed(), 'truncated')
  })

  test('an endpoint that does not stream is understood', async () => {
    const message = { role: 'assistant', content: 'In Oslo.' }
    const choices = [{ message, finish_reason: 'stop' }]
    model.onChat({}, { rawContent: JSON.stringify({ choices }) })
    const deltas: string[] = []
    expect((await streamed((delta) => deltas.push(delta))).value).toBe('In Oslo.')
    expect(deltas).toEqual(['In Oslo.'])
  })

  test('an abort in the middle closes the connection and throws the reason', async () => {
    const controller = new AbortController()
    const reason = new Error('the client left')
    model.onChat({}, { content: 'word '.repeat(5000) })
    const call = streamed(() => controller.abort(reason), controller.signal)
    await expect(call).rejects.toBe(reason)
    expect(await model.requests[0]?.ended).toBe('aborted')
  })

  test('an error of the listener is thrown as it is and ends the request', async () => {
    const mistake = new Error('listener broke')
    model.onChat({}, { content: 'word '.repeat(5000) })
    const call = streamed(() => {
      throw mistake
    })
    await expect(call).rejects.toBe(mistake)
    expect(await model.requests[0]?.ended).toBe('aborted')
    expect(model.requests).toHaveLength(1)
  })
})
