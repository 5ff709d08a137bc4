import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createHttpReranker } from '../../src/platform/models/rerank/http-reranker.ts'
import {
  type HttpReply,
  type RecordedRequest,
  type ScriptedOpenAi,
  startScriptedOpenAi,
} from '../support/scripted-openai.ts'
import { fakeTools, KEY, modelErrorOf, never } from './openai-helpers.ts'

let server: ScriptedOpenAi
beforeAll(async () => {
  server = await startScriptedOpenAi()
})
afterEach(() => server.reset()) // Hooks run from the last to the first.
afterEach(() => server.assertNothingUnscripted())
afterAll(() => server.close())

function reranker(model = 'rank-1') {
  const tools = fakeTools()
  const options = { baseUrl: server.url, apiKey: KEY, model, timeoutMs: 5000 }
  return { rerank: createHttpReranker(options, tools).rerank, waits: tools.waits }
}

function rank(passages: readonly string[], signal = never, model?: string) {
  return reranker(model).rerank({ query: 'where', passages, signal })
}

function answers(body: unknown): void {
  server.onPost('/v1/rerank', () => ({ status: 200, body }))
}

/** Scores 0.01 a character, in the shape of TEI. */
function byLength(passages: readonly string[]): HttpReply {
  return { status: 200, body: passages.map((text, index) => ({ index, score: text.length / 100 })) }
}

describe('answers', () => {
  test('of Cohere and Jina, put into the order of the passages', async () => {
    answers({
      results: [
        { index: 2, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.5, document: { text: 'a' } },
        { index: 1, relevance_score: 0 },
      ],
    })
    expect(await rank(['a', 'b', 'c'])).toEqual([0.5, 0, 0.9])
    const [request] = server.requests
    expect(request?.body).toEqual({ model: 'rank-1', query: 'where', documents: ['a', 'b', 'c'] })
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test('of TEI', async () => {
    answers([
      { index: 1, score: 0.7 },
      { index: 0, score: 0.2 },
    ])
    expect(await rank(['a', 'b'], never, '')).toEqual([0.2, 0.7])
    expect(server.requests[0]?.body).not.toHaveProperty('model')
  })

  test('one score outside 0..1 puts all through the sigmoid', async () => {
    answers([0, 2, -800, 0.5].map((score, index) => ({ index, score })))
    const scores = await rank(['a', 'b', 'c', 'd'])
    expect(scores[0]).toBe(0.5)
    expect(scores[1]).toBeCloseTo(0.8808, 4)
    expect(scores[2]).toBe(0)
    expect(scores[3]).toBeCloseTo(0.6225, 4)
  })

  test('negative scores alone do so too', async () => {
    answers([0, -2].map((score, index) => ({ index, score })))
    expect(await rank(['a', 'b'])).toEqual([0.5, expect.closeTo(0.1192, 4)])
  })

  test('what is not finite is 0 and does not turn the others', async () => {
    const rawContent =
      '[{"index":0,"score":NaN},{"index":1,"score":0.5},{"index":2,"score":1e999},{"index":3,"score":"x"}]'
    server.onPost('/v1/rerank', () => ({ rawContent }))
    expect(await rank(['a', 'b', 'c', 'd'])).toEqual([0, 0.5, 0, 0])
  })

  test.each<[string, unknown]>([
    ['too few', [{ index: 0, score: 1 }]],
    ['an index of nothing', [0, 2].map((index) => ({ index, score: 1 }))],
    ['an index twice', [0, 0].map((index) => ({ index, score: 1 }))],
    ['too many', [0, 1, 1].map((index) => ({ index, score: 1 }))],
    ['no list', { results: null }],
    ['no JSON', 'ok'],
  ])('%s is unusable', async (_, body) => {
    answers(body)
    await modelErrorOf(rank(['a', 'b']), 'unusable')
  })
})

describe('what servers ask for', () => {
  test('`texts` in place of `documents`, remembered', async () => {
    server.onPost('/v1/rerank', ({ body }: RecordedRequest) => {
      const { texts } = body as { texts?: string[] }
      return texts ? byLength(texts) : { status: 422, body: 'missing field `texts` at line 1' }
    })
    const { rerank, waits } = reranker()
    const request = { query: 'q', passages: ['a', 'bb'], signal: never }
    expect(await rerank(request)).toEqual([0.01, 0.02])
    expect(await rerank(request)).toEqual([0.01, 0.02])
    expect(server.requests).toHaveLength(3)
    expect(waits).toEqual([])
  })

  test('smaller batches, scored as one set', async () => {
    server.onPost('/v1/rerank', ({ body }: RecordedRequest) => {
      const { documents } = body as { documents: string[] }
      return documents.length > 2
        ? { status: 422, body: 'batch size 5 > maximum allowed batch size 2' }
        : byLength(documents)
    })
    const passages = ['a', 'x'.repeat(300), 'ccc', 'd', 'ee']
    const scores = await rank(passages)
    const expected = passages.map((text) => 1 / (1 + Math.exp(-text.length / 100)))
    scores.forEach((score, index) => {
      expect(score).toBeCloseTo(expected[index] ?? Number.NaN, 12)
    })
    expect(server.requests).toHaveLength(4)
  })
})

describe('failures', () => {
  test('nothing to rank asks nobody', async () => {
    expect(await rank([])).toEqual([])
    expect(server.requests).toHaveLength(0)
  })

  test('5xx is tried again, 429 and 401 are what they are, the key stays out', async () => {
    const replies: HttpReply[] = [
      { status: 503 },
      { status: 200, body: [{ index: 0, score: 0.4 }] },
      { status: 429, headers: { 'retry-after': '600' } },
      { status: 401, body: `bad key ${KEY}` },
    ]
    server.onPost('/v1/rerank', () => replies.shift() ?? { status: 400 })
    expect(await rank(['a'])).toEqual([0.4])
    expect((await modelErrorOf(rank(['a']), 'rateLimited')).retryAfterMs).toBe(600_000)
    expect((await modelErrorOf(rank(['a']), 'refused')).message).toContain('bad key ***')
  })

  test('an abort closes the request and throws the reason', async () => {
    server.onPost('/v1/rerank', () => ({ hang: true }))
    const controller = new AbortController()
    const call = rank(['a'], controller.signal)
    const request = await server.requestNumber(1)
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(await request.ended).toBe('aborted')
  })
})
