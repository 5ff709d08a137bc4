import { cleanText } from '../../../lib/text.ts'
import { checkedApiKey } from '../api-key.ts'
import { callModel, type ModelEndpoint } from '../call-model.ts'
import { createBoundedFetch, HttpStatusError } from '../http-fetch.ts'
import type { Reranker, RerankRequest } from '../ports.ts'
import { type RetryTools, systemRetryTools } from '../retry.ts'
import { readScores, toUnitScores } from './rerank-answer.ts'

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024
/** What hosted rerankers take at most. TEI takes 32 unless told otherwise, and says so. */
const MAX_PASSAGES = 1000

export interface HttpRerankerOptions {
  /** What `/rerank` is appended to, such as `https://api.jina.ai/v1`. */
  readonly baseUrl: string
  readonly apiKey: string | null
  /** '' for servers of a single model. */
  readonly model: string
  /** For one try of one request, until its answer is complete. */
  readonly timeoutMs: number
}

/** What the endpoint has been found to want. */
interface RerankDialect {
  /** Cohere and Jina call the passages `documents` and refuse other fields; TEI wants `texts`. */
  readonly field: 'documents' | 'texts'
  readonly maxPassages: number
}

/**
 * A reranker over a `POST /rerank` endpoint of the Cohere, Jina or TEI kind. Throws ModelError, or the signal's reason
 * once it is aborted.
 */
export function createHttpReranker(
  options: HttpRerankerOptions,
  tools: RetryTools = systemRetryTools,
): Reranker {
  const secret = checkedApiKey(options.apiKey)
  const name = options.model || 'rerank'
  const endpoint: ModelEndpoint = { model: name, secret, timeoutMs: options.timeoutMs, tools }
  const post = createPost(options, secret)
  let known: RerankDialect = { field: 'documents', maxPassages: MAX_PASSAGES }

  /** Raw scores of passages, one request after the other; again in other words when the endpoint asks for them. */
  async function score(query: string, passages: readonly string[], signal: AbortSignal) {
    const scores: number[] = []
    while (scores.length < passages.length) {
      const used = known
      const part = passages.slice(scores.length, scores.length + used.maxPassages)
      const more = await callModel(endpoint, signal, async (inner) => {
        try {
          const answer = await post({ query, [used.field]: part }, inner)
          return readScores(answer, part.length, endpoint)
        } catch (error) {
          const lesson = error instanceof HttpStatusError ? learn(error, used, part.length) : null
          if (lesson === null) throw error
          known = { ...known, ...lesson } // Parallel calls may have learnt the other one.
          return []
        }
      })
      scores.push(...more)
    }
    return scores
  }

  return {
    name,
    async rerank({ query, passages, signal }: RerankRequest) {
      signal.throwIfAborted()
      const scores = await score(cleanText(query), passages.map(cleanText), signal)
      return toUnitScores(scores)
    },
  }
}

function createPost(options: HttpRerankerOptions, apiKey: string | null) {
  const url = `${options.baseUrl.replace(/\/+$/, '').replace(/\/rerank$/, '')}/rerank`
  const boundedFetch = createBoundedFetch(MAX_RESPONSE_BYTES)
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  const model = options.model === '' ? {} : { model: options.model }
  return async (fields: Record<string, unknown>, signal: AbortSignal): Promise<string> => {
    const body = JSON.stringify({ ...model, ...fields })
    const response = await boundedFetch(url, { method: 'POST', headers, body, signal })
    return response.text()
  }
}

/** What a refusal tells to do differently. The field changes one way and a batch only shrinks, so this ends. */
function learn(
  error: HttpStatusError,
  used: RerankDialect,
  sentPassages: number,
): Partial<RerankDialect> | null {
  if (![400, 413, 422].includes(error.status)) return null
  const maxPassages = Number(/maximum (?:allowed )?batch size (\d+)/i.exec(error.body)?.[1])
  if (maxPassages >= 1 && maxPassages < sentPassages) return { maxPassages }
  const wantsTexts = used.field === 'documents' && /\btexts\b/i.test(error.body)
  return wantsTexts ? { field: 'texts' } : null
}
