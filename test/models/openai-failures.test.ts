import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedOpenAi, startScriptedOpenAi } from '../support/scripted-openai.ts'
import {
  extraction,
  factsReply,
  KEY,
  modelErrorOf,
  NOW,
  step,
  testReasoner,
} from './openai-helpers.ts'

let model: ScriptedOpenAi
beforeAll(async () => {
  model = await startScriptedOpenAi()
})
afterEach(() => model.reset()) // Hooks run from the last to the first.
afterEach(() => model.assertNothingUnscripted())
afterAll(() => model.close())

const good = factsReply({ what: 'Ada lives in Oslo' })

describe('what is tried again', () => {
  test('a 5xx is tried twice more, with growing waits, and then works', async () => {
    const { reasoner, waits } = testReasoner(model.url)
    model.onChatOnce({}, { status: 503 }, { status: 500 }, good)
    const { value } = await reasoner.extractFacts(extraction())
    expect(value).toHaveLength(1)
    expect(waits).toEqual([500, 1000])
  })

  test('a third 5xx is thrown: there is one retry layer only', async () => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, { status: 502, body: 'bad gateway' })
    const error = await modelErrorOf(reasoner.extractFacts(extraction()), 'unavailable')
    expect(error.message).toBe('test-model: HTTP 502: bad gateway')
    expect(model.requests).toHaveLength(3)
  })

  test('a closed connection is tried again', async () => {
    const { reasoner, waits } = testReasoner(model.url)
    model.onChatOnce({}, { disconnect: true }, good)
    await reasoner.extractFacts(extraction())
    expect(waits).toHaveLength(1)
  })

  test('nobody listening is unavailable, with the code of the failure', async () => {
    const free = createServer()
    const port = await new Promise<number>((resolve) =>
      free.listen(0, '127.0.0.1', () => resolve(Object(free.address()).port)),
    )
    await new Promise((resolve) => free.close(resolve))
    const { reasoner, waits } = testReasoner(`http://127.0.0.1:${port}/v1`)
    const error = await modelErrorOf(reasoner.nextStep(step()), 'unavailable')
    expect(error.message).toContain('ECONNREFUSED')
    expect(waits).toHaveLength(2)
  })

  test('no answer in time is unavailable after three tries, each closed', async () => {
    const { reasoner } = testReasoner(model.url, { timeoutMs: 40 })
    model.onChat({}, { hang: true })
    const error = await modelErrorOf(reasoner.nextStep(step()), 'unavailable')
    expect(error.message).toContain('40 ms')
    expect(model.requests).toHaveLength(3)
    const ends = await Promise.all(model.requests.map((request) => request.ended))
    expect(ends).toEqual(['aborted', 'aborted', 'aborted'])
  })
})

describe('429', () => {
  test.each([
    ['600', 600_000],
    ['Wed, 15 May 2024 12:01:00 GMT', 60_000],
    ['999999999', 86_400_000],
  ])('with Retry-After %s is thrown at once', async (header, expected) => {
    const { reasoner, waits } = testReasoner(model.url)
    model.onChat({}, { status: 429, headers: { 'retry-after': header } })
    const error = await modelErrorOf(reasoner.extractFacts(extraction()), 'rateLimited')
    expect(error.retryAfterMs).toBe(expected)
    expect(model.requests).toHaveLength(1)
    expect(waits).toEqual([])
  })

  test.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '10' }, 10_000],
    [{ 'retry-after': new Date(NOW + 4000).toUTCString() }, 4000],
    [{ 'retry-after': new Date(NOW - 4000).toUTCString() }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '600' }, 250],
  ])('with %j waits that long', async (headers, expected) => {
    const { reasoner, waits } = testReasoner(model.url)
    model.onChatOnce({}, { status: 429, headers }, good)
    await reasoner.extractFacts(extraction())
    expect(waits).toEqual([expected])
  })

  test('without a header backs off twice, then says so', async () => {
    const { reasoner, waits } = testReasoner(model.url)
    model.onChat({}, { status: 429 })
    const error = await modelErrorOf(reasoner.extractFacts(extraction()), 'rateLimited')
    expect(error.retryAfterMs).toBeNull()
    expect(waits).toEqual([500, 1000])
  })

  test('a quota of tokens a minute is no overflow', async () => {
    const { reasoner } = testReasoner(model.url)
    const message = 'RESOURCE_EXHAUSTED: too many tokens per minute'
    model.onChat({}, { status: 429, headers: { 'retry-after': '60' }, body: { message } })
    await modelErrorOf(reasoner.nextStep(step()), 'rateLimited')
  })
})

describe('what is not tried again', () => {
  test.each([400, 401, 403, 404, 422])('%i is refused', async (status) => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, { status, body: { detail: 'no such thing' } })
    const error = await modelErrorOf(reasoner.nextStep(step()), 'refused')
    expect(error.message).toContain('no such thing')
    expect(model.requests).toHaveLength(1)
  })

  test.each([
    [400, { error: { code: 'context_length_exceeded', message: 'x' } }],
    [400, { error: { message: "This model's maximum context length is 8192 tokens" } }],
    [400, { message: 'prompt is too long: 210000 tokens' }],
    [422, { detail: 'Input is too long for requested model' }],
    [500, { error: 'the request exceeds the available context size' }],
    [400, { error: { status: 'RESOURCE_EXHAUSTED', message: 'input token count' } }],
    [413, 'Payload Too Large'],
  ])('%i %j is an overflow of the context', async (status, body) => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, { status, body })
    await modelErrorOf(reasoner.nextStep(step()), 'contextOverflow')
    expect(model.requests).toHaveLength(1)
  })

  test('an error inside a 200 answer counts as what it says', async () => {
    const { reasoner } = testReasoner(model.url)
    const limited = { error: { code: 429, message: 'slow down' } }
    model.onChatOnce({}, { rawContent: JSON.stringify(limited) }, { content: 'fine' })
    expect((await reasoner.nextStep(step())).value.text).toBe('fine')
    const wrong = { error: { code: 401, message: 'no credit' } }
    model.onChatOnce({}, { rawContent: JSON.stringify(wrong) })
    await modelErrorOf(reasoner.nextStep(step()), 'refused')
  })

  test.each([
    ['{"choices":[{"mess', /not JSON/],
    ['{"choices":[]}', /no message/],
    ['null', /not an object/],
    ['', /not JSON/],
  ])('a 200 answer of %j is unusable', async (rawContent, message) => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, { rawContent })
    const error = await modelErrorOf(reasoner.nextStep(step()), 'unusable')
    expect(error.message).toMatch(message)
    expect(model.requests).toHaveLength(1)
  })

  test('an answer larger than any model writes is not read to its end', async () => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, { rawContent: `"${'x'.repeat(17 * 1024 * 1024)}"` })
    const error = await modelErrorOf(reasoner.nextStep(step()), 'unusable')
    expect(error.message).toMatch(/more than \d+ bytes/)
  })
})

describe('the key', () => {
  test('an echoed key is not in the message, at whatever place it is cut', async () => {
    const { reasoner } = testReasoner(model.url)
    const echo = `${'x'.repeat(490)} ${KEY} and ${KEY}`
    model.onChat({}, { status: 401, body: echo })
    const error = await modelErrorOf(reasoner.nextStep(step()), 'refused')
    expect(error.message).toContain('***')
    expect(error.message).not.toContain('sk-')
    expect(error.cause).toBeUndefined()
    expect(error.message.length).toBeLessThan(550)
  })

  test('is sent as a bearer token; without one there is no header', async () => {
    model.onChat({}, { content: 'hello' })
    await testReasoner(model.url).reasoner.nextStep(step())
    await testReasoner(model.url, { apiKey: null }).reasoner.nextStep(step())
    expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(model.requests[1]?.headers.authorization).toBeUndefined()
  })

  test('one that no header can carry is refused without being shown', () => {
    expect(() => testReasoner(model.url, { apiKey: 'sk-secret\nfoo' })).toThrowError(
      /^(?!.*sk-secret)[^\n]*characters that a header cannot carry$/,
    )
  })
})

describe('abort', () => {
  test('closes the request and throws the reason', async () => {
    const { reasoner } = testReasoner(model.url)
    const controller = new AbortController()
    model.onChat({}, { hang: true })
    const call = reasoner.extractFacts(extraction({}, controller.signal))
    const request = await model.requestNumber(1)
    const reason = new Error('cancelled by the client')
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(await request.ended).toBe('aborted')
    expect(model.requests).toHaveLength(1)
  })

  test('before the call sends nothing', async () => {
    const { reasoner } = testReasoner(model.url)
    const reason = new Error('too late')
    const signal = AbortSignal.abort(reason)
    await expect(reasoner.nextStep(step({ signal }))).rejects.toBe(reason)
    expect(model.requests).toHaveLength(0)
  })

  test('ends the wait for a turn, and the turn is not used', async () => {
    const { reasoner } = testReasoner(model.url, { concurrency: 1 })
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    model.onChatOnce({}, { hold: gate, content: 'first' })
    const first = reasoner.nextStep(step())
    await model.requestNumber(1)
    const controller = new AbortController()
    const second = reasoner.nextStep(step({ signal: controller.signal }))
    controller.abort(new Error('left the queue'))
    await expect(second).rejects.toThrow('left the queue')
    open()
    expect((await first).value.text).toBe('first')
    expect(model.requests).toHaveLength(1)
  })

  test('leaves no listener on a signal that lives on', async () => {
    const { reasoner } = testReasoner(model.url)
    const { signal } = new AbortController()
    const added: string[] = []
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      added.push('+')
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      added.push('-')
      remove(...args)
    }
    model.onChat({}, { content: 'hello' })
    await reasoner.nextStep(step({ signal }))
    await new Promise((resolve) => setImmediate(resolve))
    expect(added.filter((sign) => sign === '+').length).toBeGreaterThan(0)
    expect(added.filter((sign) => sign === '-')).toHaveLength(
      added.filter((sign) => sign === '+').length,
    )
  })
})

test('no more requests at a time than allowed', async () => {
  const { reasoner } = testReasoner(model.url, { concurrency: 2 })
  let running = 0
  let most = 0
  model.onChat({}, async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 10))
    running--
    return { content: 'ok' }
  })
  await Promise.all(Array.from({ length: 6 }, () => reasoner.nextStep(step())))
  expect(most).toBe(2)
})
