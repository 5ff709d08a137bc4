import type OpenAI from 'openai'
import { cleanText } from '../../../lib/text.ts'
import { truncateTokens } from '../../../lib/tokens.ts'
import { checkedApiKey } from '../api-key.ts'
import { callModel, type ModelEndpoint } from '../call-model.ts'
import type { CallOptions, Embedder } from '../ports.ts'
import { type RetryTools, systemRetryTools } from '../retry.ts'
import { createOpenAiClient } from './client.ts'
import { readVectors } from './embedding-answer.ts'

/** OpenAI takes 300 000 tokens a request at most; a token has rarely less than one character. */
const MAX_BATCH_CHARS = 300_000
/** A number is about 22 bytes of JSON: room for a batch of 256 vectors of 4096 numbers, twice. */
const MAX_RESPONSE_BYTES = 48 * 1024 * 1024

export interface OpenAiEmbedderOptions {
  /** With the version part, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly model: string
  /** Numbers a vector. An answer with more or fewer is unusable. */
  readonly dimensions: number
  /** Whether the endpoint is asked for that many, which few models can do. */
  readonly sendDimensions: boolean
  /** For one try of one request, until its answer is complete. */
  readonly timeoutMs: number
  /** Texts a request; 64 when not given. */
  readonly batchSize?: number
  /** Tokens (cl100k) of prefix and text together; the rest is cut off. */
  readonly maxInputTokens: number
  readonly queryPrefix: string
  readonly passagePrefix: string
}

const DEFAULT_BATCH_SIZE = 64

/**
 * An embedder over any endpoint that speaks OpenAI's embeddings. Blank texts give an all-zero vector without being
 * sent: endpoints answer them with 400. Throws ModelError, or the signal's reason once it is aborted.
 */
export function createOpenAiEmbedder(
  options: OpenAiEmbedderOptions,
  tools: RetryTools = systemRetryTools,
): Embedder {
  const { baseUrl, model, dimensions, timeoutMs, maxInputTokens } = options
  const apiKey = checkedApiKey(options.apiKey)
  const endpoint: ModelEndpoint = { model, secret: apiKey, timeoutMs, tools }
  const client = createOpenAiClient({ baseUrl, apiKey, maxResponseBytes: MAX_RESPONSE_BYTES })

  async function embed(
    texts: readonly string[],
    purpose: 'query' | 'passage',
    { signal }: CallOptions,
  ): Promise<readonly Float32Array[]> {
    signal.throwIfAborted()
    const prefix = purpose === 'query' ? options.queryPrefix : options.passagePrefix
    const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions))
    const inputs = texts.flatMap((text, position): Input[] => {
      const clean = cleanText(text).trim()
      if (clean === '') return []
      return [{ position, text: truncateTokens(prefix + clean, maxInputTokens) }]
    })
    for (const batch of batches(inputs, options.batchSize ?? DEFAULT_BATCH_SIZE)) {
      const input = batch.map(({ text }) => text)
      const embedded = await callModel(endpoint, signal, async (inner) => {
        const answer = await request(input, inner)
        return readVectors(answer, input.length, dimensions, endpoint)
      })
      batch.forEach(({ position }, index) => {
        const vector = embedded[index]
        if (vector !== undefined) vectors[position] = vector
      })
    }
    return vectors
  }

  function request(input: string[], signal: AbortSignal): Promise<unknown> {
    const params: OpenAI.EmbeddingCreateParams = { model, input, encoding_format: 'float' }
    if (options.sendDimensions) params.dimensions = dimensions
    return client.embeddings.create(params, { signal })
  }

  return { name: model, dimensions, embed }
}

interface Input {
  /** In the caller's list. */
  readonly position: number
  readonly text: string
}

function batches(inputs: readonly Input[], maxTexts: number): readonly (readonly Input[])[] {
  const all: Input[][] = []
  let last: Input[] = []
  let chars = 0
  for (const input of inputs) {
    const isFull = last.length >= maxTexts || chars + input.text.length > MAX_BATCH_CHARS
    if (all.length === 0 || isFull) {
      last = []
      all.push(last)
      chars = 0
    }
    last.push(input)
    chars += input.text.length
  }
  return all
}
