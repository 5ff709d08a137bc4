import { hashVector } from './hash-vector.ts'
import { type HttpReply, matchesText } from './replies.ts'

export interface EmbeddingItem {
  readonly index: number
  readonly embedding: unknown
}

/** What the server answers to /v1/embeddings. Without any script: a hash vector for every text. */
export interface ScriptedEmbeddings {
  /** Length of the hash vectors, 64 unless set. */
  dimensions: number
  /** Vector for every text that matches; the newest match wins. Anything may be given, to be answered as it is. */
  embed(matcher: string | RegExp, vector: readonly unknown[]): void
  /** Changes the list of every answer: its order, its number, its fields. */
  alter(change: ((items: readonly EmbeddingItem[]) => readonly unknown[]) | null): void
  /** Every request gets this until `restore()`. */
  fail(reply: number | HttpReply): void
  restore(): void
}

export interface EmbeddingsState extends ScriptedEmbeddings {
  /** Answer to a request: an HTTP reply when scripted to fail, the body otherwise. */
  answer(body: unknown): { readonly reply: HttpReply } | { readonly body: unknown }
}

export function createEmbeddings(): EmbeddingsState {
  const overrides: { matcher: string | RegExp; vector: readonly unknown[] }[] = []
  let failure: HttpReply | null = null
  let change: ((items: readonly EmbeddingItem[]) => readonly unknown[]) | null = null

  const state: EmbeddingsState = {
    dimensions: 64,
    embed: (matcher, vector) => void overrides.unshift({ matcher, vector }),
    alter(next) {
      change = next
    },
    fail(reply) {
      failure = typeof reply === 'number' ? { status: reply } : reply
    },
    restore() {
      failure = null
    },
    answer(body) {
      if (failure !== null) return { reply: failure }
      const { input, model, dimensions } = body as {
        input: string | string[]
        model: string
        dimensions?: number
      }
      const items = [input].flat().map((text, index): EmbeddingItem => {
        const scripted = overrides.find(({ matcher }) => matchesText(matcher, text))
        const embedding = scripted?.vector ?? hashVector(text, dimensions ?? state.dimensions)
        return { index, embedding }
      })
      const data = change === null ? items : change(items)
      const usage = { prompt_tokens: items.length, total_tokens: items.length }
      return { body: { object: 'list', model, data, usage } }
    },
  }
  return state
}
