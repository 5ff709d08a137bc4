import { codePointLength, indexAfter } from '../text.ts'

/** From the coarsest to the finest. A separator stays at the end of the piece before it. */
const PLAIN: readonly RegExp[] = [
  /\n[^\S\n]*\n/g,
  /\n/g,
  /\. /g,
  /! /g,
  /\? /g,
  /[。！？]/g,
  /; /g,
  /, /g,
  /[；，、]/g,
  /\s/g,
]

/** Inside a JSON string a line break is an escape; a backslash that is itself escaped does not start one. */
const ESCAPED: readonly RegExp[] = [
  /(?<!\\)(?:\\\\)*(?:\\r)?\\n(?:\\r)?\\n/g,
  /(?<!\\)(?:\\\\)*\\n/g,
  ...PLAIN,
]

/** How far a cut inside a word moves back to keep a character and its combining marks, or an escape, together. */
const MAX_STEP_BACK = 32
/** Belongs to the character before it: marks, variation selectors, joiner, skin tones. */
const ATTACHED = /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u

export interface SplitOptions {
  /** The text is (a part of) JSON source: line breaks may be written `\n`, and no escape is cut in two. */
  readonly escaped?: boolean
}

/** Pieces of at most `max` code points, trimmed, none blank; joined they are the text but for white space at the cuts. */
export function splitText(text: string, max: number, options: SplitOptions = {}): string[] {
  const splitter: Splitter = {
    max,
    separators: options.escaped ? ESCAPED : PLAIN,
    escaped: options.escaped ?? false,
  }
  return splitAt(text, 0, splitter)
}

interface Splitter {
  readonly max: number
  readonly separators: readonly RegExp[]
  readonly escaped: boolean
}

function splitAt(text: string, level: number, splitter: Splitter): string[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  if (codePointLength(trimmed) <= splitter.max) return [trimmed]
  const separator = splitter.separators[level]
  if (separator === undefined) return cutAnywhere(trimmed, splitter)
  const parts = partsOf(trimmed, separator)
  if (parts.length === 1) return splitAt(trimmed, level + 1, splitter)
  const pieces: string[] = []
  let run = ''
  let runLength = 0
  for (const part of parts) {
    // Lengths are added up instead of measured on the joined run: a megabyte of words would take quadratic time.
    if (runLength + codePointLength(part.trimEnd()) > splitter.max) {
      pieces.push(...splitAt(run, level + 1, splitter))
      run = ''
      runLength = 0
    }
    const kept = run === '' ? part.trimStart() : part
    run += kept
    runLength += codePointLength(kept)
  }
  pieces.push(...splitAt(run, level + 1, splitter))
  return pieces
}

function partsOf(text: string, separator: RegExp): string[] {
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(separator)) {
    const end = match.index + match[0].length
    parts.push(text.slice(from, end))
    from = end
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

function cutAnywhere(text: string, splitter: Splitter): string[] {
  const pieces: string[] = []
  let from = 0
  while (from < text.length) {
    const full = indexAfter(text, from, splitter.max)
    const end = full < text.length ? goodCut(text, from, full, splitter.escaped) : full
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}

/** The last place up to `full` where the text may be cut, or `full` when there is none near. */
function goodCut(text: string, from: number, full: number, escaped: boolean): number {
  let whole = full
  for (let at = full; at > from && at > full - MAX_STEP_BACK; at -= 1) {
    if (escaped && isInsideEscape(text, from, at)) continue
    if (!isInsideCharacter(text, at)) return at
    // Better a mark apart from its letter than an escape in two.
    if (whole === full && escaped && !isLowHalf(text, at)) whole = at
  }
  return whole
}

function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isInsideCharacter(text: string, at: number): boolean {
  const isAttached = ATTACHED.test(text.slice(at, at + 2))
  return isLowHalf(text, at) || isAttached || text.charAt(at - 1) === '\u200d'
}

/** Whether a cut at `at` goes through `\n`, `\u00e9` or between the two halves `\ud83d\ude00`. */
function isInsideEscape(text: string, from: number, at: number): boolean {
  for (let start = Math.max(from, at - 6); start < at; start += 1) {
    if (text.charAt(start) !== '\\' || !startsEscape(text, from, start)) continue
    const end = start + (text.charAt(start + 1) === 'u' ? 6 : 2)
    if (end > at) return true
    const isHighHalf = /^\\ud[89ab]/i.test(text.slice(start, end))
    if (end === at && isHighHalf && text.startsWith('\\u', at)) return true
  }
  return false
}

/** A backslash after an odd number of backslashes is the second half of an escape. */
function startsEscape(text: string, from: number, index: number): boolean {
  let before = index
  while (before > from && text.charAt(before - 1) === '\\') before -= 1
  return (index - before) % 2 === 0
}
