import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CallOptions, Embedder } from '../ports.ts'
import { STOP_WORDS } from './stop-words.ts'
import { defaultWordVectorsPath, loadWordVectors, type WordVectors } from './word-vectors.ts'

/** Texts between two turns of the event loop: about 10 ms of short ones. */
const TEXTS_PER_TURN = 256
/** Words read of one text: bounds the time that one huge text holds the event loop. */
const MAX_WORDS = 4000
/** What follows an apostrophe ('s, 'll, n't) says nothing and, as a word of its own, weighs much. */
const WORD = /(?<!\p{L}['’])[\p{L}\p{M}\p{N}]+/gu
/** Below this a text is nothing but the common direction: noise, so it counts as without known words. */
const SHORTEST = 1e-6

/**
 * Weighted mean of static English word vectors (smooth inverse frequency, common direction removed, unit length):
 * Arora, Liang and Ma 2017, "A simple but tough-to-beat baseline for sentence embeddings". Loads the table at once and
 * throws an Error that says what to do when there is none. `path` defaults to the table of this package.
 */
export function createBuiltInEmbedder(path: string = defaultWordVectorsPath()): Embedder {
  const table = loadWordVectors(path)
  return {
    name: `built-in-words-${table.dimensions}d`,
    dimensions: table.dimensions,
    async embed(texts, _purpose, options: CallOptions) {
      const vectors: Float32Array[] = []
      for (const text of texts) {
        if (vectors.length % TEXTS_PER_TURN === 0) {
          if (vectors.length > 0) await nextTurn()
          options.signal.throwIfAborted()
        }
        vectors.push(embedText(table, text))
      }
      return vectors
    },
  }
}

function embedText(table: WordVectors, text: string): Float32Array {
  const sum = new Float32Array(table.dimensions)
  let known = 0
  let read = 0
  for (const [word] of text.toLowerCase().normalize('NFKC').matchAll(WORD)) {
    if (++read > MAX_WORDS) break
    if (STOP_WORDS.en.has(word)) continue
    const row = findRow(table, word)
    if (row === undefined) continue
    addRow(table, row, sum)
    known++
  }
  return known === 0 ? sum : toUnit(removeDirection(sum, table.commonDirection))
}

/** Words outside the table are mostly plurals of words inside it. */
function findRow(table: WordVectors, word: string): number | undefined {
  return (
    table.rows.get(word) ?? (word.endsWith('s') ? table.rows.get(word.slice(0, -1)) : undefined)
  )
}

function addRow(table: WordVectors, row: number, sum: Float32Array): void {
  const { dimensions, values } = table
  const scale = table.scales[row] ?? 0
  const offset = row * dimensions
  for (let d = 0; d < dimensions; d++) sum[d] = (sum[d] ?? 0) + scale * (values[offset + d] ?? 0)
}

function removeDirection(vector: Float32Array, direction: Float32Array): Float32Array {
  let along = 0
  for (let d = 0; d < vector.length; d++) along += (vector[d] ?? 0) * (direction[d] ?? 0)
  for (let d = 0; d < vector.length; d++) {
    vector[d] = (vector[d] ?? 0) - along * (direction[d] ?? 0)
  }
  return vector
}

function toUnit(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  return length < SHORTEST ? vector.fill(0) : vector.map((value) => value / length)
}
