import type { Chunk } from './chunking/chunk.ts'
import { splitJson } from './chunking/json-chunks.ts'
import { splitText } from './chunking/split-text.ts'
import { splitTranscript } from './chunking/transcript-chunks.ts'
import { codePointLength } from './text.ts'

export type { Chunk } from './chunking/chunk.ts'
export { parseTurns, type Turn } from './chunking/turns.ts'

/**
 * Cuts a document into chunks of at most `maxChars` code points, without overlap. What fits is one chunk, byte for
 * byte. Chat turns stay whole where they fit: arrays and lines of JSON objects are packed into arrays and lines,
 * `Name: text` transcripts by turns; a turn that does not fit is cut as text, and its later pieces know the speaker.
 * Any other text is cut at the coarsest boundary that fits. Only white space between chunks (and between the tokens of
 * JSON) is lost; a text of nothing else that does not fit gives no chunk.
 *
 * Every chunk fits, so chunking a chunk again gives that chunk. @throws RangeError unless maxChars is an integer >= 1.
 */
export function chunkText(text: string, maxChars: number): Chunk[] {
  if (!Number.isInteger(maxChars) || maxChars < 1) {
    throw new RangeError(`maxChars must be an integer of at least 1, not ${String(maxChars)}`)
  }
  if (codePointLength(text) <= maxChars) return [{ text, speaker: null }]
  return (
    splitJson(text, maxChars) ??
    splitTranscript(text, maxChars) ??
    splitText(text, maxChars).map((piece) => ({ text: piece, speaker: null }))
  )
}
