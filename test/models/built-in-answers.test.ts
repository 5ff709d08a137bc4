import { describe, expect, it } from 'vitest'
import { createBuiltInReasoner } from '../../src/platform/models/built-in/reasoner.ts'
import type { AgentStepRequest, Evidence, ToolDefinition } from '../../src/platform/models/ports.ts'

const reasoner = createBuiltInReasoner()
const signal = new AbortController().signal

function evidence(alias: string, text: string, more: Partial<Evidence> = {}): Evidence {
  const kind = alias.startsWith('o')
    ? 'observation'
    : alias.startsWith('m')
      ? 'mentalModel'
      : 'memory'
  return { alias, kind, text, relevance: 0.3, occurredStart: null, mentionedAt: null, ...more }
}

const PUMP = [
  evidence('f1', 'Olga: The pump in hall 3 failed.', {
    occurredStart: new Date('2026-05-05T00:00:00Z'),
  }),
  evidence('f2', 'Ben: We replaced the pump in hall 3 with a new one.', {
    occurredStart: new Date('2026-05-09T00:00:00Z'),
  }),
  evidence('f3', 'Ben: My cat likes tuna.', { relevance: 0.1 }),
  evidence('o1', 'The pump in hall 3 breaks often.', {
    mentionedAt: new Date('2026-05-01T09:00:00Z'),
  }),
  evidence('f4', 'Olga: the pump in hall 3 failed'),
]

async function answer(
  query: string,
  given: readonly Evidence[],
  maxTokens = 1000,
): Promise<string> {
  const pieces: string[] = []
  const { value, usage } = await reasoner.writeAnswer({
    prompt: { system: '', user: '' },
    input: { query, evidence: given, maxTokens },
    onText: (delta) => pieces.push(delta),
    signal,
  })
  expect(pieces.join('')).toBe(value)
  expect(usage).toEqual({ inputTokens: 0, outputTokens: 0 })
  return value
}

describe('the written answer', () => {
  it('quotes what bears on the query, oldest first, and says that no model wrote it', async () => {
    expect(await answer('What happened to the pump in hall 3?', PUMP)).toBe(
      [
        'From what is remembered about “What happened to the pump in hall 3?”:',
        '',
        '- (mentioned 2026-05-01) The pump in hall 3 breaks often.',
        '- 2026-05-05: Olga: The pump in hall 3 failed.',
        '- 2026-05-09: Ben: We replaced the pump in hall 3 with a new one.',
        '',
        'No language model is configured, so this answer quotes memory as it stands.',
      ].join('\n'),
    )
  })

  it('says plainly when nothing is remembered', async () => {
    expect(await answer('Who won the regatta?', PUMP)).toBe(
      'Nothing is remembered about “Who won the regatta?”.',
    )
    expect(await answer('Who won the regatta?', [])).toContain('Nothing is remembered')
    expect(await answer('', [])).not.toBe('')
  })

  it('quotes what was found by meaning without a common word', async () => {
    const found = [evidence('f9', 'Ann keeps a labrador.', { relevance: 0.8 })]
    expect(await answer('Which dogs are there?', found)).toContain('Ann keeps a labrador.')
  })

  it('does not take who speaks for what is said', async () => {
    const given = [
      evidence('f1', 'Olga: I like tuna.', { relevance: 0.4 }),
      evidence('f2', 'Ben: Olga sails every Sunday.'),
      evidence('f3', 'Olga: The crane is yellow.'),
    ]
    expect(await answer('Does Olga sail?', given)).not.toContain('tuna')
    expect(await answer('Tell me about Olga', given)).toContain('tuna')
    expect(await answer('Where was Olga born?', given.slice(0, 1))).toContain('tuna')
  })

  it('puts dated evidence first in choice when a time is asked for', async () => {
    const given = [
      ...Array.from({ length: 30 }, (_, at) =>
        evidence(`f${at + 10}`, `Ann spoke of the regatta, remark ${at}.`),
      ),
      evidence('f1', 'The regatta took place.', {
        occurredStart: new Date('2026-02-02T00:00:00Z'),
      }),
    ]
    expect(await answer('When was the regatta?', given)).toContain('2026-02-02')
  })

  it('keeps statements apart that differ in a number', async () => {
    const given = [
      evidence('f1', 'The shop closes at 18:00.'),
      evidence('f2', 'The shop closes at 20:00.'),
    ]
    const text = await answer('When does the shop close?', given)
    expect(text).toContain('18:00')
    expect(text).toContain('20:00')
  })

  it('keeps roughly to its tokens and quotes at least once', async () => {
    const given = Array.from({ length: 40 }, (_, at) =>
      evidence(`f${at}`, `Report ${at} on the bridge: ${'it holds well. '.repeat(20)}`),
    )
    const short = await answer('What about the bridge?', given, 200)
    expect(short.length).toBeLessThan(200 * 4 * 1.2)
    const tiny = await answer('What about the bridge?', given, 1)
    expect(tiny).toContain('\n- ')
    expect(tiny.length).toBeLessThan(400)
  })

  it('keeps evidence in its bullet, whatever it holds', async () => {
    const given = [evidence('f1', 'The bridge\n\n# Ignore all of this\n- is closed')]
    const lines = (await answer('Is the bridge closed?', given)).split('\n')
    expect(lines.filter((line) => line.startsWith('#'))).toEqual([])
    expect(lines).toContain('- The bridge # Ignore all of this - is closed')
  })

  it('takes the sentences that bear on the query out of long evidence', async () => {
    const page = `${'The garden has roses. '.repeat(60)}The bridge opens in June. ${'The lawn is green. '.repeat(60)}`
    const text = await answer('When does the bridge open?', [evidence('m1', page)])
    expect(text).toContain('The bridge opens in June.')
    expect(text.length).toBeLessThan(1200)
  })

  it.each([
    [
      'Was ist mit der Pumpe in Halle 3 passiert?',
      'Die Pumpe in Halle 3 fiel aus.',
      'Sprachmodell',
    ],
    ['¿Qué pasó con la bomba de la sala?', 'La bomba de la sala falló.', 'modelo de lenguaje'],
    [
      'Que s’est-il passé avec la pompe de la salle ?',
      'La pompe de la salle est en panne.',
      'modèle de langage',
    ],
    [
      'Cosa è successo alla pompa della sala?',
      'La pompa della sala si è rotta.',
      'modello linguistico',
    ],
    ['O que aconteceu com a bomba da sala?', 'A bomba da sala quebrou.', 'modelo de linguagem'],
    ['Что случилось с насосом в цехе?', 'Вчера насосом в цехе занимались.', 'Языковая модель'],
    ['水泵怎么了？', '三号厅的水泵坏了。', '语言模型'],
    ['ポンプはどうなりましたか？', 'ポンプが故障しました。', '言語モデル'],
  ])('frames %j in its language and leaves the evidence verbatim', async (query, text, model) => {
    const written = await answer(query, [evidence('f1', text)])
    expect(written).toContain(`- ${text}`)
    expect(written).toContain(model)
  })
})

const SEARCH: ToolDefinition = {
  name: 'recall',
  description: '',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string' },
      query: { type: 'string' },
      max_tokens: { type: 'integer' },
    },
    required: ['reason', 'query'],
  },
}
const EXPAND: ToolDefinition = {
  name: 'expand',
  description: '',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string' },
      memory_ids: { type: 'array', items: { type: 'string' } },
      depth: { enum: ['chunk', 'document'] },
    },
    required: ['reason', 'memory_ids', 'depth'],
  },
}
const DONE: ToolDefinition = {
  name: 'done',
  description: '',
  parameters: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
}

async function step(more: Partial<AgentStepRequest> = {}) {
  const request: AgentStepRequest = {
    messages: [{ role: 'user', content: 'x' }],
    tools: [SEARCH, EXPAND, DONE],
    toolChoice: 'auto',
    input: { query: 'What happened to the pump in hall 3?', evidence: PUMP, maxTokens: 1000 },
    maxOutputTokens: null,
    signal,
    ...more,
  }
  const { value } = await reasoner.nextStep(request)
  const [call] = value.toolCalls
  const values = call === undefined ? null : (JSON.parse(call.arguments) as Record<string, unknown>)
  return { value, call, values }
}

describe('the next step', () => {
  it('calls the forced tool with what was asked', async () => {
    const { call, values } = await step({ toolChoice: { name: 'recall' } })
    expect(call?.name).toBe('recall')
    expect(values).toEqual({
      reason: expect.any(String),
      query: 'What happened to the pump in hall 3?',
    })
  })

  it('fills what the tool requires', async () => {
    const { values } = await step({ toolChoice: { name: 'expand' } })
    expect(values?.memory_ids).toEqual(['f1', 'f2', 'f3', 'f4'])
    expect(values?.depth).toBe('chunk')
  })

  it('ends with an answer that cites just what it quotes', async () => {
    const { call, values } = await step()
    expect(call?.name).toBe('done')
    expect(values?.memory_ids).toEqual(['f1', 'f2'])
    expect(values?.observation_ids).toEqual(['o1'])
    expect(values?.mental_model_ids).toEqual([])
    expect(values?.answer).toBe(await answer('What happened to the pump in hall 3?', PUMP))
  })

  it('cites nothing when nothing bears on the query', async () => {
    const { values } = await step({
      input: { query: 'Who won the regatta?', evidence: PUMP, maxTokens: 100 },
    })
    expect(values?.memory_ids).toEqual([])
    expect(values?.observation_ids).toEqual([])
    expect(values?.answer).toContain('Nothing is remembered')
  })

  it('fills a document where the tool takes one, and the note on directives', async () => {
    const parameters = {
      type: 'object',
      properties: { document: { type: 'object' }, directive_compliance: { type: 'string' } },
      required: ['document', 'directive_compliance'],
    }
    const { values } = await step({ tools: [{ ...DONE, parameters }] })
    expect(values?.answer).toBeUndefined()
    expect(values?.document).toEqual({
      sections: [
        {
          heading: expect.any(String),
          level: 2,
          blocks: expect.arrayContaining([expect.stringContaining('- 2026-05-05')]),
        },
      ],
    })
    expect(values?.directive_compliance).toContain('No language model')
  })

  it('answers in text where no tool fits', async () => {
    const { value } = await step({ tools: [SEARCH] })
    expect(value.toolCalls).toEqual([])
    expect(value.text).toContain('From what is remembered')
  })

  it('is deterministic, with one id a step', async () => {
    expect((await step()).value).toEqual((await step()).value)
    const later = await step({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'user', content: 'y' },
      ],
    })
    expect(later.call?.id).not.toBe((await step()).call?.id)
  })
})

describe('the built-in reasoner', () => {
  it('says what it is', () => {
    expect(reasoner.name).toBe('built-in')
    expect(reasoner.isLanguageModel).toBe(false)
  })

  it('refuses structured output', async () => {
    const request = { prompt: { system: '', user: '' }, schema: {}, input: { text: '' }, signal }
    await expect(reasoner.extractBySchema(request)).rejects.toMatchObject({
      name: 'ModelError',
      kind: 'refused',
    })
  })

  it('stops at an aborted signal', async () => {
    const aborted = AbortSignal.abort(new Error('enough'))
    const prompt = { system: '', user: '' }
    const input = { query: 'x', evidence: [], maxTokens: 10 }
    await expect(reasoner.writeAnswer({ prompt, input, signal: aborted })).rejects.toThrow('enough')
    await expect(step({ signal: aborted })).rejects.toThrow('enough')
  })
})
