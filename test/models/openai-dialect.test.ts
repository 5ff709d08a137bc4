import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChatReply,
  type ChatRequest,
  type ScriptedOpenAi,
  startScriptedOpenAi,
} from '../support/scripted-openai.ts'
import {
  extraction,
  factsReply,
  modelErrorOf,
  never,
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

function refusesFormats(...types: readonly string[]) {
  return ({ body }: ChatRequest): ChatReply => {
    const type = body.response_format?.type ?? 'none'
    if (!types.includes(type)) return good
    return { status: 400, body: { error: { message: `response_format ${type} is not supported` } } }
  }
}

function formats(): readonly string[] {
  return model.chats.map(({ body }) => body.response_format?.type ?? 'none')
}

describe('response_format', () => {
  test('the schema is strict and closed where the endpoint takes it', async () => {
    model.onChat({}, good)
    await testReasoner(model.url).reasoner.extractFacts(extraction())
    const [chat] = model.chats
    expect(chat?.body.response_format?.type).toBe('json_schema')
    const format = JSON.stringify(chat?.body.response_format)
    expect(format).toContain('"strict":true')
    expect(format).toContain('"additionalProperties":false')
    expect(chat?.system).toBe('Extract the facts.')
    expect(chat?.body.temperature).toBe(0.1)
  })

  test('what is refused is left out and remembered; the schema goes into the prompt', async () => {
    const { reasoner, waits } = testReasoner(model.url)
    model.onChat({}, refusesFormats('json_schema', 'json_object'))
    await reasoner.extractFacts(extraction())
    await reasoner.extractFacts(extraction())
    expect(formats()).toEqual(['json_schema', 'json_object', 'none', 'none'])
    expect(waits).toEqual([])
    expect(model.chats[0]?.system).toBe('Extract the facts.')
    expect(model.chats[2]?.system).toMatch(/^Extract the facts\.\n\n.*JSON Schema.*\n\{.*"facts"/)
  })

  test('json_object is kept where it works', async () => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, refusesFormats('json_schema'))
    await Promise.all([reasoner.extractFacts(extraction()), reasoner.extractFacts(extraction())])
    await reasoner.extractFacts(extraction())
    expect(formats().at(-1)).toBe('json_object')
    expect(formats()).not.toContain('none')
  })

  test('off never sends it; on insists on it', async () => {
    model.onChat({}, refusesFormats('json_schema', 'json_object'))
    await testReasoner(model.url, { jsonSchema: 'off' }).reasoner.extractFacts(extraction())
    expect(formats()).toEqual(['none'])
    const insisting = testReasoner(model.url, { jsonSchema: 'on' }).reasoner
    await modelErrorOf(insisting.extractFacts(extraction()), 'refused')
    expect(formats()).toEqual(['none', 'json_schema'])
  })

  test('a refusal that names nothing to leave out stays one', async () => {
    model.onChat({}, { status: 400, body: { error: { message: 'unknown model' } } })
    const { reasoner } = testReasoner(model.url)
    await modelErrorOf(reasoner.extractFacts(extraction()), 'refused')
    expect(model.requests).toHaveLength(1)
  })

  test('an endpoint that refuses whatever it gets is not asked for ever', async () => {
    const everything =
      'response_format temperature max_completion_tokens tool_choice stream_options'
    model.onChat({}, { status: 400, body: everything })
    const { reasoner } = testReasoner(model.url)
    await modelErrorOf(reasoner.extractFacts(extraction()), 'refused')
    const forced = step({ toolChoice: { name: 'recall' }, maxOutputTokens: 10 })
    await modelErrorOf(reasoner.nextStep(forced), 'refused')
    expect(model.requests.length).toBeLessThanOrEqual(9)
  })
})

describe('parameters that some models refuse', () => {
  test('temperature and max_tokens', async () => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, ({ body }) => {
      const refuse = (message: string) => ({ status: 400, body: { error: { message } } })
      if (body.max_tokens) return refuse("Use 'max_completion_tokens' in place of 'max_tokens'.")
      if (body.temperature) return refuse("'temperature' does not support 0.9 with this model")
      return { content: 'done' }
    })
    await reasoner.nextStep(step({ maxOutputTokens: 300 }))
    const { body } = model.chats.at(-1) ?? {}
    expect(body).toMatchObject({ max_completion_tokens: 300 })
    expect(body).not.toHaveProperty('temperature')
    expect(model.chats).toHaveLength(3)
    await reasoner.nextStep(step({ maxOutputTokens: 300 }))
    expect(model.chats).toHaveLength(4)
  })

  test('a tool forced by name becomes the only tool, required', async () => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, ({ body }) =>
      typeof body.tool_choice === 'object'
        ? { status: 400, body: { error: "Invalid tool_choice type: 'object'" } }
        : { toolCalls: [{ name: 'recall', arguments: {} }] },
    )
    await reasoner.nextStep(step({ toolChoice: { name: 'recall' } }))
    const { body } = model.chats[1] ?? {}
    expect(body?.tool_choice).toBe('required')
    expect(body?.tools?.map((tool) => tool.function.name)).toEqual(['recall'])
  })

  test('what parallel calls learn is all remembered', async () => {
    const { reasoner } = testReasoner(model.url)
    const refuse = (body: string): ChatReply => ({ status: 400, body })
    // Both refusals are on the way before either is read.
    const gate = Promise.all([model.requestNumber(1), model.requestNumber(2)])
    model.onChat({}, ({ body }) => {
      if (body.tools) {
        return body.temperature ? { ...refuse('no temperature'), hold: gate } : { content: 'done' }
      }
      return body.response_format?.type === 'json_schema'
        ? { ...refuse('no json_schema'), hold: gate }
        : good
    })
    await Promise.all([reasoner.nextStep(step()), reasoner.extractFacts(extraction())])
    await Promise.all([reasoner.nextStep(step()), reasoner.extractFacts(extraction())])
    expect(model.chats).toHaveLength(6)
    const body = model.chats.findLast((chat) => chat.body.response_format)?.body
    expect(body?.response_format?.type).toBe('json_object')
    expect(body).not.toHaveProperty('temperature')
  })

  test('stream_options', async () => {
    const { reasoner } = testReasoner(model.url)
    model.onChat({}, ({ body }) =>
      body.stream_options
        ? { status: 422, body: { detail: 'extra fields not permitted: stream_options' } }
        : { content: 'An answer.' },
    )
    const prompt = { system: 's', user: 'u' }
    const input = { query: 'q', evidence: [], maxTokens: 10 }
    const answer = await reasoner.writeAnswer({ prompt, input, signal: never, onText: () => {} })
    expect(answer).toEqual({ value: 'An answer.', usage: { inputTokens: 0, outputTokens: 0 } })
  })
})
