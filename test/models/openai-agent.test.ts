import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedOpenAi, startScriptedOpenAi } from '../support/scripted-openai.ts'
import { modelErrorOf, never, step, testReasoner } from './openai-helpers.ts'

let model: ScriptedOpenAi
beforeAll(async () => {
  model = await startScriptedOpenAi()
})
afterEach(() => model.reset()) // Hooks run from the last to the first.
afterEach(() => model.assertNothingUnscripted())
afterAll(() => model.close())

describe('nextStep', () => {
  test('offers the tools, forces one by name, returns calls in order', async () => {
    const toolCalls = [
      { name: 'recall', arguments: { query: 'Ada' }, id: 'a' },
      { name: 'recall', arguments: { query: 'Oslo' }, id: 'b' },
    ]
    model.onChat({ tool: 'done', toolChoice: 'recall' }, { toolCalls, content: 'Let me look.' })
    const { reasoner } = testReasoner(model.url)
    const answer = await reasoner.nextStep(step({ toolChoice: { name: 'recall' } }))
    expect(answer.value).toEqual({
      text: 'Let me look.',
      toolCalls: [
        { id: 'a', name: 'recall', arguments: '{"query":"Ada"}' },
        { id: 'b', name: 'recall', arguments: '{"query":"Oslo"}' },
      ],
    })
    expect(answer.usage.inputTokens).toBeGreaterThan(0)
    const body = model.chats[0]?.body
    expect(body?.temperature).toBe(0.9)
    expect(body).not.toHaveProperty('max_tokens')
    expect(body?.tools).toHaveLength(2)
  })

  test('broken arguments come back as they were written', async () => {
    const broken = '{"query": "Ada'
    model.onChat({}, { toolCalls: [{ name: 'recall', arguments: broken }] })
    const { value } = await testReasoner(model.url).reasoner.nextStep(step())
    expect(value.toolCalls[0]?.arguments).toBe(broken)
  })

  test('but do not go back into the history, where they break servers', async () => {
    model.onChat({ last: 'not valid JSON' }, { content: 'sorry' })
    const call = (id: string, text: string) => ({ id, name: 'recall', arguments: text })
    const { messages } = step()
    const toolCalls = [call('a', '{"query": "Ada'), call('b', '{"query":"Oslo"}'), call('c', '[1]')]
    await testReasoner(model.url).reasoner.nextStep(
      step({
        messages: [
          ...messages,
          { role: 'assistant', content: null, toolCalls },
          { role: 'tool', toolCallId: 'a', content: 'arguments are not valid JSON' },
        ],
      }),
    )
    const [, , assistant, tool] = model.chats[0]?.body.messages ?? []
    const sent = assistant?.tool_calls?.map((sentCall) => sentCall.function.arguments)
    expect(sent).toEqual(['{}', '{"query":"Oslo"}', '{}'])
    expect(tool).toMatchObject({ role: 'tool', tool_call_id: 'a' })
  })

  test('ids that are missing or doubled are replaced; nameless calls are dropped', async () => {
    const named = (name: string, id?: string, args?: unknown) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })
    const tool_calls = [
      named('recall', '', '{}'),
      named('recall', 'x', { query: 'Ada' }),
      named('recall', 'x', ''),
      named('', 'y', '{}'),
      null,
      { id: 'z' },
    ]
    const message = { role: 'assistant', content: null, tool_calls }
    model.onChat({}, { rawContent: JSON.stringify({ choices: [{ message }] }) })
    const { value } = await testReasoner(model.url).reasoner.nextStep(step())
    expect(value.toolCalls.map((call) => call.arguments)).toEqual(['{}', '{"query":"Ada"}', '{}'])
    const ids = value.toolCalls.map((call) => call.id)
    expect(new Set(ids).size).toBe(3)
    expect(ids[1]).toBe('x')
    expect(ids.every((id) => id.length > 0)).toBe(true)
  })

  test('hundreds of calls in one step are cut', async () => {
    const toolCalls = Array.from({ length: 300 }, () => ({ name: 'recall', arguments: {} }))
    model.onChat({}, { toolCalls })
    const { value } = await testReasoner(model.url).reasoner.nextStep(step())
    expect(value.toolCalls).toHaveLength(32)
  })

  test('prose is an answer; a call leaked as text is text', async () => {
    const leaked = '<tool_call>{"name":"recall","arguments":{}}</tool_call>'
    model.onChatOnce({}, { content: '<think>hm</think> Ada lives in Oslo.' }, { content: leaked })
    const { reasoner } = testReasoner(model.url)
    const prose = { text: 'Ada lives in Oslo.', toolCalls: [] }
    expect((await reasoner.nextStep(step())).value).toEqual(prose)
    expect((await reasoner.nextStep(step())).value).toEqual({ text: leaked, toolCalls: [] })
  })

  test('an empty message gives the reasoning field, or is unusable', async () => {
    const { reasoner } = testReasoner(model.url)
    model.onChatOnce({}, { content: '', reasoning: 'Ada lives in Oslo.' })
    expect((await reasoner.nextStep(step())).value.text).toBe('Ada lives in Oslo.')
    model.onChatOnce({}, { content: null }, { content: '<think>only thoughts</think>' })
    await modelErrorOf(reasoner.nextStep(step()), 'unusable')
    await modelErrorOf(reasoner.nextStep(step()), 'unusable')
  })

  test('reasoning beside a call is not its text', async () => {
    const toolCalls = [{ name: 'recall', arguments: {} }]
    model.onChat({}, { content: null, reasoning: 'I should look.', toolCalls })
    const { value } = await testReasoner(model.url).reasoner.nextStep(step())
    expect(value.text).toBeNull()
  })

  test('max_tokens is sent when asked for, and reaching it is truncated', async () => {
    model.onChat({}, { content: 'Ada li', finishReason: 'length' })
    const { reasoner } = testReasoner(model.url)
    await modelErrorOf(reasoner.nextStep(step({ maxOutputTokens: 3 })), 'truncated')
    expect(model.chats[0]?.body.max_tokens).toBe(3)
  })
})

describe('extractBySchema', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const request = {
    prompt: { system: 'Extract.', user: 'Ada lives in Oslo.' },
    schema,
    input: { text: 'Ada lives in Oslo.' },
    signal: never,
  }

  test('asks with the schema, not strict, and takes JSON out of prose', async () => {
    model.onChat({}, { content: 'Here [1]: {"city": "Oslo\\ud83d", "__proto__": {"a": 1}}' })
    const { value } = await testReasoner(model.url).reasoner.extractBySchema(request)
    expect(JSON.stringify(value)).toBe('{"city":"Oslo","__proto__":{"a":1}}')
    const { body } = model.chats[0] ?? {}
    const json_schema = { name: 'answer', strict: false, schema }
    expect(body?.response_format).toEqual({ type: 'json_schema', json_schema })
    expect(body?.temperature).toBe(0)
  })

  test('a list where a list is wanted', async () => {
    model.onChat({}, { content: '{"note": 1}\n["Oslo"]' })
    const { reasoner } = testReasoner(model.url)
    const answer = await reasoner.extractBySchema({ ...request, schema: { type: 'array' } })
    expect(answer.value).toEqual(['Oslo'])
  })

  test.each([
    ['prose', 'She lives in Oslo.'],
    ['nothing', ''],
    ['a nesting that no schema has', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('%s is unusable, and quoted', async (_, content) => {
    model.onChat({}, { content })
    const { reasoner } = testReasoner(model.url)
    const error = await modelErrorOf(reasoner.extractBySchema(request), 'unusable')
    expect(error.message).toContain(content.slice(0, 400))
    expect(model.requests).toHaveLength(1)
  })
})
