import { codePointLength } from '../text.ts'
import type { Chunk } from './chunk.ts'
import { splitText } from './split-text.ts'
import { readTranscript, type TranscriptTurn } from './transcript.ts'

/** Packs whole turns, each slice as it stands in the text; null when the text is no transcript. */
export function splitTranscript(text: string, max: number): Chunk[] | null {
  const turns = readTranscript(text)
  if (turns === null) return null
  const chunks: Chunk[] = []
  let run: { start: number; end: number; length: number } | null = null
  const flush = () => {
    if (run !== null) chunks.push({ text: text.slice(run.start, run.end).trim(), speaker: null })
    run = null
  }
  for (const turn of turns) {
    const source = text.slice(turn.start, turn.end)
    const visible = codePointLength(source.trim())
    if (visible > max) {
      flush()
      chunks.push(...splitTurn(source, turn, max))
      continue
    }
    if (run !== null && run.length + codePointLength(source.trimEnd()) > max) flush()
    const start: number = run === null ? turn.start : run.start
    const before: number = run === null ? 0 : run.length
    run = { start, end: turn.end, length: before + codePointLength(source) }
  }
  flush()
  return chunks
}

function splitTurn(source: string, turn: TranscriptTurn, max: number): Chunk[] {
  return splitText(source, max).map((text, at) => ({
    text,
    speaker: at === 0 ? null : turn.speaker,
  }))
}
