import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  createOpenAiEmbedder,
  type OpenAiEmbedderOptions,
} from '../../src/platform/models/openai/embedder.ts'
import { type ScriptedOpenAi, startScriptedOpenAi } from '../support/scripted-openai.ts'
import { fakeTools, KEY, modelErrorOf, never } from './openai-helpers.ts'

let model: ScriptedOpenAi
beforeAll(async () => {
  model = await startScriptedOpenAi()
})
afterEach(() => model.reset()) // Hooks run from the last to the first.
afterEach(() => model.assertNothingUnscripted())
afterAll(() => model.close())

function embedder(options: Partial<OpenAiEmbedderOptions> = {}) {
  return createOpenAiEmbedder(
    {
      baseUrl: model.url,
      apiKey: KEY,
      model: 'embed-1',
      dimensions: 64,
      sendDimensions: false,
      timeoutMs: 5000,
      maxInputTokens: 100,
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
      ...options,
    },
    fakeTools(),
  )
}

const passages = (texts: readonly string[], options: Partial<OpenAiEmbedderOptions> = {}) =>
  embedder(options).embed(texts, 'passage', { signal: never })

function inputs(): readonly (readonly string[])[] {
  return model.requests.map(({ body }) => (body as { input: string[] }).input)
}

describe('requests', () => {
  test('prefixes by purpose, floats asked for, dimensions only when told', async () => {
    await embedder().embed(['Oslo'], 'query', { signal: never })
    await passages(['Oslo'], { sendDimensions: true, dimensions: 32 })
    expect(model.requests.map(({ body }) => body)).toEqual([
      { model: 'embed-1', input: ['query: Oslo'], encoding_format: 'float' },
      { model: 'embed-1', input: ['passage: Oslo'], encoding_format: 'float', dimensions: 32 },
    ])
  })

  test('batches, vectors in the order of the texts', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `text ${index}`)
    const vectors = await passages(texts)
    expect(inputs().map((batch) => batch.length)).toEqual([64, 64, 22])
    expect(vectors).toHaveLength(150)
    const [single] = await passages(['text 70'])
    expect(vectors[70]).toEqual(single)
    expect(vectors[71]).not.toEqual(single)
  })

  test('long texts are cut and fill batches sooner', async () => {
    await passages(['word '.repeat(1000)])
    const length = inputs()[0]?.[0]?.length ?? 0
    expect(length).toBeGreaterThan(300)
    expect(length).toBeLessThan(600)
    model.reset()
    const long = 'word '.repeat(29_000)
    await passages([long, long, long], { maxInputTokens: 50_000 })
    expect(inputs().map((batch) => batch.length)).toEqual([2, 1])
  })

  test('blank texts are zero vectors and not sent; nothing asks nobody', async () => {
    const vectors = await passages(['', 'Oslo', ' \n', '\ud83d'])
    expect(inputs()).toEqual([['passage: Oslo']])
    expect(vectors.map((vector) => vector.some((value) => value !== 0))).toEqual([
      false,
      true,
      false,
      false,
    ])
    model.reset()
    expect(await passages([])).toEqual([])
    expect(await passages(['', ''])).toHaveLength(2)
    expect(model.requests).toHaveLength(0)
  })
})

describe('answers', () => {
  test('in any order', async () => {
    const straight = await passages(['a', 'b', 'c'])
    model.embeddings.alter((items) => items.toReversed())
    expect(await passages(['a', 'b', 'c'])).toEqual(straight)
  })

  test('without indexes, in the order they come', async () => {
    const straight = await passages(['a', 'b'])
    model.embeddings.alter((items) => items.map(({ embedding }) => ({ embedding })))
    expect(await passages(['a', 'b'])).toEqual(straight)
  })

  test('an all-zero vector is passed on', async () => {
    model.embeddings.embed('unknown', new Array(64).fill(0))
    const [vector] = await passages(['unknown'])
    expect(vector).toEqual(new Float32Array(64))
  })

  const ones = new Array<unknown>(64).fill(1)
  test.each<[string, readonly unknown[], RegExp]>([
    ['one dimension too few', ones.slice(1), /63 dimensions, not 64/],
    ['one too many', [...ones, 1], /65 dimensions/],
    ['a null', [null, ...ones.slice(1)], /not finite/],
    ['a string', ['NaN', ...ones.slice(1)], /not finite/],
    ['more than a float32 holds', [1e39, ...ones.slice(1)], /not finite/],
  ])('%s is unusable', async (_, vector, message) => {
    model.embeddings.embed('bad', vector)
    const error = await modelErrorOf(passages(['good', 'bad']), 'unusable')
    expect(error.message).toMatch(message)
    expect(model.requests).toHaveLength(1)
  })

  test.each<[string, Parameters<ScriptedOpenAi['embeddings']['alter']>[0]]>([
    ['too few', (items) => items.slice(1)],
    ['too many', (items) => [...items, ...items]],
    ['one twice', (items) => items.map((item) => ({ ...item, index: 0 }))],
    ['an index of nothing', (items) => items.map((item) => ({ ...item, index: item.index + 1 }))],
    ['base64', (items) => items.map((item) => ({ ...item, embedding: 'AACAPw==' }))],
    ['no objects', (items) => items.map(() => null)],
  ])('%s is unusable', async (_, change) => {
    model.embeddings.alter(change)
    await modelErrorOf(passages(['a', 'b']), 'unusable')
  })

  test('bare NaN, which is no JSON, is unusable', async () => {
    model.embeddings.fail({ rawContent: '{"data":[{"index":0,"embedding":[NaN]}]}' })
    await modelErrorOf(passages(['a']), 'unusable')
  })
})

describe('failures', () => {
  test('are what they are, and over when they are over', async () => {
    model.failEmbeddings(429, { 'retry-after': '600' })
    expect((await modelErrorOf(passages(['a']), 'rateLimited')).retryAfterMs).toBe(600_000)
    model.failEmbeddings(500)
    await modelErrorOf(passages(['a']), 'unavailable')
    expect(model.requests).toHaveLength(4)
    model.embeddings.fail({ status: 401, body: { error: { message: `key ${KEY}` } } })
    await modelErrorOf(passages(['a']), 'refused')
    model.restoreEmbeddings()
    expect(await passages(['a'])).toHaveLength(1)
  })

  test('an abort closes the request and throws the reason', async () => {
    model.embeddings.fail({ hang: true })
    const controller = new AbortController()
    const call = embedder().embed(['a'], 'query', { signal: controller.signal })
    const request = await model.requestNumber(1)
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(await request.ended).toBe('aborted')
  })
})
