import { codePointLength } from '../text.ts'
import type { Chunk } from './chunk.ts'
import { longestStringOf } from './json-scan.ts'
import { type JsonItem, type JsonItems, readJsonItems, speakerOf, TEXT_KEYS } from './json-turns.ts'
import { splitText } from './split-text.ts'

/** An envelope (all fields but the text) larger than this share of a chunk is not repeated around each piece. */
const MAX_ENVELOPE_SHARE = 0.5

interface Frame {
  readonly open: string
  readonly separator: string
  readonly close: string
}

const FRAMES: Readonly<Record<JsonItems['shape'], Frame>> = {
  array: { open: '[', separator: ',', close: ']' },
  lines: { open: '', separator: '\n', close: '' },
  object: { open: '', separator: '\n', close: '' },
}

/** Packs whole objects into arrays or lines; null when the text is no JSON of objects. */
export function splitJson(text: string, max: number): Chunk[] | null {
  const found = readJsonItems(text)
  if (found === null) return null
  const frame = FRAMES[found.shape]
  const room = max - frame.open.length - frame.close.length
  const chunks: Chunk[] = []
  let packed: string[] = []
  let size = 0
  const flush = () => {
    if (packed.length > 0)
      chunks.push({ text: framed(packed.join(frame.separator), frame), speaker: null })
    packed = []
    size = 0
  }
  for (const item of found.items) {
    const length = codePointLength(item.source)
    if (size + frame.separator.length + length > room) flush()
    if (length > room) {
      chunks.push(...splitItem(item, max, frame))
    } else {
      size += length + (packed.length > 0 ? frame.separator.length : 0)
      packed.push(item.source)
    }
  }
  flush()
  return chunks
}

/**
 * A turn too long for one chunk. Its text is cut, and each piece becomes a turn of its own with all other fields of the
 * whole one, so that a piece still says who speaks, and when. Where that takes too much room, or the object has no
 * text, its source is cut.
 */
function splitItem(item: JsonItem, max: number, frame: Frame): Chunk[] {
  return inEnvelopes(item, max, frame).map((text, at) => ({
    text,
    speaker: at === 0 ? null : speakerOf(item.value),
  }))
}

function inEnvelopes(item: JsonItem, max: number, frame: Frame): string[] {
  const { source } = item
  const span = longestStringOf(source, TEXT_KEYS)
  if (span === null) return splitText(source, max, { escaped: true })
  const before = source.slice(0, span.start)
  const after = source.slice(span.end)
  const envelope = codePointLength(before + after) + frame.open.length + frame.close.length
  if (envelope > max * MAX_ENVELOPE_SHARE) return splitText(source, max, { escaped: true })
  const content = source.slice(span.start, span.end)
  const pieces = splitText(content, max - envelope, { escaped: true })
  if (pieces.length === 0) return splitText(source, max, { escaped: true })
  return pieces.map((piece) => framed(before + piece + after, frame))
}

function framed(text: string, frame: Frame): string {
  return frame.open + text + frame.close
}
