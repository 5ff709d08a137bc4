import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ChatReply } from '../support/scripted-openai.ts'
import { type ScriptedOpenAi, startScriptedOpenAi } from '../support/scripted-openai.ts'
import { extraction, factsReply, modelErrorOf, testReasoner } from './openai-helpers.ts'

let model: ScriptedOpenAi
beforeAll(async () => {
  model = await startScriptedOpenAi()
})
afterEach(() => model.reset()) // Hooks run from the last to the first.
afterEach(() => model.assertNothingUnscripted())
afterAll(() => model.close())

async function factsFrom(reply: ChatReply, input: Parameters<typeof extraction>[0] = {}) {
  model.onChatOnce({}, reply)
  return (await testReasoner(model.url).reasoner.extractFacts(extraction(input))).value
}

const list = JSON.stringify({ facts: [{ what: 'Ada lives in Oslo' }] })

describe('where the facts are found', () => {
  test.each<[string, ChatReply]>([
    ['content', { content: list }],
    ['reasoning_content of an empty message', { content: '', reasoning: list }],
    [
      'reasoning of a null message',
      { content: null, reasoning: list, reasoningField: 'reasoning' },
    ],
    ['reasoning, behind a draft', { content: '', reasoning: `Say {"facts":[]}? No: ${list}` }],
    ['behind a think block', { content: `<think>maybe {"facts":[]}?</think>\n${list}` }],
    ['behind a think block without its opening', { content: `hm {"facts":[]}\n</think>${list}` }],
    ['a code fence', { content: `Here you are:\n\`\`\`json\n${list}\n\`\`\`\nAnything else?` }],
    ['prose with brackets', { content: `As asked [1], {not JSON}: ${list}` }],
    ['a bare array', { content: '[{"what":"Ada lives in Oslo"}]' }],
    ['a single fact', { content: '{"what":"Ada lives in Oslo"}' }],
    ['the alias text', { content: '{"facts":[{"text":"Ada lives in Oslo"}]}' }],
    ['trailing commas', { content: '{"facts":[{"what":"Ada lives in Oslo",},],}' }],
  ])('%s', async (_, reply) => {
    const facts = await factsFrom(reply)
    expect(facts.map((fact) => fact.text)).toEqual(['Ada lives in Oslo'])
  })

  test('content as a list of parts', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: '[]' }] },
      { type: 'text', text: list },
    ]
    const choices = [{ message: { role: 'assistant', content }, finish_reason: 'stop' }]
    const facts = await factsFrom({ rawContent: JSON.stringify({ choices }) })
    expect(facts).toHaveLength(1)
  })

  test.each(['{"facts":[]}', '[]', '```json\n[]\n```'])('%s is an empty list', async (content) => {
    expect(await factsFrom({ content })).toEqual([])
  })

  test('think tags in the text of a fact stay', async () => {
    const [fact] = await factsFrom(factsReply({ what: 'R1 writes <think> and </think> tags' }))
    expect(fact?.text).toBe('R1 writes <think> and </think> tags')
  })
})

describe('what is no list of facts', () => {
  test.each<[string, ChatReply]>([
    ['prose only', { content: 'There is nothing of note [] in this text.' }],
    ['an empty message', { content: '' }],
    ['thinking that never ends', { content: `<think>let me see ${list}` }],
    ['an object without facts', { content: '{}' }],
    ['null for the list', { content: '{"facts":null}' }],
    ['a string', { content: '"no facts"' }],
    ['cut off without saying so', { content: '{"facts":[{"what":"Ada li' }],
    ['only empty statements', factsReply({ what: '' }, { what: '...' }, { what: 'N/A' })],
    ['too many malformed', factsReply({ what: 'a' }, { what: 'b' }, { what: 'c' }, {})],
    ['a loop', factsReply(...Array.from({ length: 501 }, () => ({ what: 'again' })))],
  ])('%s: one retry, then unusable', async (_, reply) => {
    model.onChat({}, reply)
    const call = testReasoner(model.url).reasoner.extractFacts(extraction())
    const error = await modelErrorOf(call, 'unusable')
    expect(error.message.length).toBeLessThan(600)
    expect(model.requests).toHaveLength(2)
  })

  test('the retry is used, and its usage added', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 7 }
    model.onChatOnce({}, { content: 'Sure!', usage }, { content: list, usage })
    const answer = await testReasoner(model.url).reasoner.extractFacts(extraction())
    expect(answer.value).toHaveLength(1)
    expect(answer.usage).toEqual({ inputTokens: 200, outputTokens: 14 })
  })

  test('usage that is missing or broken counts 0', async () => {
    model.onChatOnce({}, { content: list, usage: null })
    const { reasoner } = testReasoner(model.url)
    const none = { inputTokens: 0, outputTokens: 0 }
    expect((await reasoner.extractFacts(extraction())).usage).toEqual(none)
    model.onChatOnce({}, { content: list, usage: { prompt_tokens: -5, completion_tokens: 1.5 } })
    expect((await reasoner.extractFacts(extraction())).usage).toEqual(none)
  })

  test('the length limit is truncated, even where the JSON happens to be complete', async () => {
    model.onChat({}, { content: '{"facts":[{"what":"Ada li', finishReason: 'length' })
    const { reasoner } = testReasoner(model.url)
    await modelErrorOf(reasoner.extractFacts(extraction()), 'truncated')
    expect(model.requests).toHaveLength(1)
    model.reset()
    model.onChat({}, { content: list, finishReason: 'length' })
    await modelErrorOf(reasoner.extractFacts(extraction()), 'truncated')
  })

  test('a refusal and a content filter are refused', async () => {
    model.onChatOnce(
      {},
      { refusal: 'I cannot help' },
      { content: '', finishReason: 'content_filter' },
    )
    const { reasoner } = testReasoner(model.url)
    const error = await modelErrorOf(reasoner.extractFacts(extraction()), 'refused')
    expect(error.message).toContain('I cannot help')
    await modelErrorOf(reasoner.extractFacts(extraction()), 'refused')
  })
})

describe('fields of a fact', () => {
  test('text, type, dates and entities', async () => {
    const [fact] = await factsFrom(
      factsReply({
        what: 'Ada moved to Oslo',
        when: 'in March 2024',
        where: 'Oslo',
        who: 'Ada, a friend of Bo',
        why: 'for a new job',
        fact_kind: 'event',
        fact_type: 'assistant',
        occurred_start: '2024-03-05',
        occurred_end: '2024-03-06T10:00:00+02:00',
        entities: ['Ada', { text: 'Oslo' }, { name: 'Bo' }, 'Ada', 'N/A', '', 7, null],
      }),
    )
    expect(fact).toEqual({
      text: 'Ada moved to Oslo | When: in March 2024 | Involving: Ada, a friend of Bo | for a new job',
      factType: 'EXPERIENCE',
      occurredStart: new Date('2024-03-05T00:00:00Z'),
      occurredEnd: new Date('2024-03-06T08:00:00Z'),
      entities: ['Ada', 'Oslo', 'Bo'],
      causedBy: [],
    })
  })

  test('absent parts leave no trace', async () => {
    const fields = { what: 'Ada sings', when: 'N/A', who: '', why: ' n/a ', where: null }
    const [fact] = await factsFrom(factsReply(fields))
    expect(fact?.text).toBe('Ada sings')
  })

  test.each([
    [{ fact_type: 'world' }, 'WORLD'],
    [{ fact_type: 'experience' }, 'EXPERIENCE'],
    [{ fact_type: 'opinion', fact_kind: 'assistant' }, 'EXPERIENCE'],
    [{ fact_type: 'nonsense' }, 'WORLD'],
    [{}, 'WORLD'],
  ])('type of %j', async (fields, expected) => {
    const [fact] = await factsFrom(factsReply({ what: 'Something', ...fields }))
    expect(fact?.factType).toBe(expected)
  })

  test('dates count for events only', async () => {
    const dated = { what: 'Yesterday Ada sang', occurred_start: '2024-03-05' }
    const facts = await factsFrom(factsReply(dated, { ...dated, fact_kind: 'conversation' }))
    expect(facts.map((fact) => fact.occurredStart)).toEqual([null, null])
  })

  test.each([
    ['2024-03-05T10:00:00', null, '2024-03-05T10:00:00.000Z', '2024-03-05T10:00:00.000Z'],
    ['2024-03', null, '2024-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2024-03-05', '2024-03-01', '2024-03-05T00:00:00.000Z', '2024-03-05T00:00:00.000Z'],
    [null, '2024-03-01', '2024-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2024-02-31', null, undefined, undefined],
    ['sometime', 'N/A', undefined, undefined],
    ['0000-01-01', 12, undefined, undefined],
  ])('an event from %j to %j', async (start, end, expectedStart, expectedEnd) => {
    const fields = { fact_kind: 'event', occurred_start: start, occurred_end: end }
    const [fact] = await factsFrom(factsReply({ what: 'Ada sang', ...fields }))
    expect(fact?.occurredStart?.toISOString()).toBe(expectedStart)
    expect(fact?.occurredEnd?.toISOString()).toBe(expectedEnd)
  })

  test.each([
    ['Ada sang last night', '2024-05-14'],
    ['Ada sings tomorrow', '2024-05-16'],
    ['Ada sang last week', '2024-05-08'],
    ['Ada sings this evening', '2024-05-15'],
    ['Ada sings next month', '2024-06-14'],
  ])('a missing start of "%s" comes from its words', async (what, day) => {
    const [fact] = await factsFrom(factsReply({ what, fact_kind: 'event' }))
    expect(fact?.occurredStart).toEqual(new Date(`${day}T00:00:00Z`))
    expect(fact?.occurredEnd).toEqual(fact?.occurredStart)
  })

  test('no day is invented without an anchor', async () => {
    const reply = factsReply({ what: 'Ada sang yesterday', fact_kind: 'event' })
    const [fact] = await factsFrom(reply, { anchor: null })
    expect(fact?.occurredStart).toBeNull()
  })

  test('causes keep their facts when others are left out', async () => {
    const by = (...targets: unknown[]) => ({
      causal_relations: targets.map((target_index) => ({
        target_index,
        relation_type: 'caused_by',
      })),
    })
    const facts = await factsFrom(
      factsReply(
        { what: 'a' },
        { what: '' },
        { what: 'c', ...by(0, 0) },
        { what: 'd', ...by(1, 2) },
        { what: 'e', ...by(5, 4, -1, 1.5, '0') },
        { what: 'f', ...by(0, 2, 3) },
        { what: 'g', causal_relations: [{ target_index: 0, relation_type: 'enables' }] },
      ),
    )
    expect(facts.map((fact) => [fact.text, fact.causedBy])).toEqual([
      ['a', []],
      ['c', [0]],
      ['d', [1]],
      ['e', []],
      ['f', [0, 1]],
      ['g', []],
    ])
  })

  test('half an emoji and NUL go, a whole emoji stays', async () => {
    const content =
      '{"facts":[{"what":"Ada \\ud83d smiles\\u0000 👨‍👩‍👧","entities":["A\\udc00da"]}]}'
    const [fact] = await factsFrom({ content })
    expect(fact?.text).toBe('Ada  smiles 👨‍👩‍👧')
    expect(fact?.entities).toEqual(['Ada'])
  })

  test('every string is bounded', async () => {
    const long = 'x'.repeat(20_000)
    const entities = Array.from({ length: 100 }, (_, index) => `${index} ${long}`)
    const [fact] = await factsFrom(
      factsReply({ what: long, when: long, who: long, why: long, entities }),
    )
    expect(fact?.text.length).toBeLessThan(12_000)
    expect(fact?.entities).toHaveLength(50)
    expect(fact?.entities.every((name) => name.length <= 200)).toBe(true)
  })
})

describe('modes', () => {
  test('VERBATIM: one fact with the text of the chunk, entities of all', async () => {
    const facts = await factsFrom(
      factsReply(
        { entities: ['Ada'], fact_kind: 'event', occurred_start: '2024-03-05' },
        { entities: ['Oslo', 'Ada'] },
      ),
      { mode: 'VERBATIM', text: ' Ada moved. ' },
    )
    expect(facts).toEqual([
      {
        text: ' Ada moved. ',
        factType: 'WORLD',
        occurredStart: new Date('2024-03-05T00:00:00Z'),
        occurredEnd: new Date('2024-03-05T00:00:00Z'),
        entities: ['Ada', 'Oslo'],
        causedBy: [],
      },
    ])
    const sent = JSON.stringify(model.chats[0]?.body.response_format)
    expect(sent).toContain('occurred_start')
    expect(sent).not.toContain('"what"')
  })

  test('CHUNKS asks nobody', async () => {
    const { reasoner } = testReasoner(model.url)
    const answer = await reasoner.extractFacts(extraction({ mode: 'CHUNKS', text: 'raw' }))
    expect(answer.value.map((fact) => fact.text)).toEqual(['raw'])
    expect(answer.usage).toEqual({ inputTokens: 0, outputTokens: 0 })
    expect(model.requests).toHaveLength(0)
  })
})
