import { stripThinking } from './think-tags.ts'

/** Openers tried before the search is given up, so that a text of brackets alone costs linear time. */
const MAX_ATTEMPTS = 64
/** Characters looked at. Longer texts are no answer to anything that is asked here. */
const MAX_SCAN_CHARS = 4_000_000

export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface FoundJson {
  /** An object or an array. */
  readonly value: JsonRecord | readonly unknown[]
  /** True when the text was nothing but this value, apart from a code fence around it. */
  readonly whole: boolean
}

/**
 * Objects and arrays in what a language model wrote, in their order: out of prose, code fences and think blocks, with
 * trailing commas and raw line breaks in strings forgiven. Values inside another value are not listed by themselves,
 * and an opener that never closes is skipped, so a cut-off answer gives at most its complete inner parts: callers
 * check the finish reason and the shape. Never throws; [] when there is nothing.
 */
export function findJson(text: string): readonly FoundJson[] {
  const bounded = text.slice(0, MAX_SCAN_CHARS).trim()
  // First as it is: a string in good JSON may speak of think tags.
  const visible = tryParse(bounded) === undefined ? stripThinking(bounded).trim() : bounded
  const whole = parseContainer(unfence(visible))
  if (whole !== undefined) return [{ value: whole, whole: true }]
  return scan(visible)
}

/** Inner text when one code fence is all there is. */
function unfence(text: string): string {
  const match = /^```[\w-]*\s*\n([\s\S]*?)\n?\s*```$/.exec(text)
  return match?.[1]?.trim() ?? text
}

function scan(text: string): readonly FoundJson[] {
  const found: FoundJson[] = []
  let at = 0
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const start = nextOpener(text, at)
    if (start < 0) break
    const end = balancedEnd(text, start)
    const value = end < 0 ? undefined : parseContainer(text.slice(start, end))
    if (value === undefined) {
      at = start + 1
    } else {
      found.push({ value, whole: false })
      at = end
    }
  }
  return found
}

function nextOpener(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const char = text[i]
    if (char === '{' || char === '[') return i
  }
  return -1
}

/** Index behind the bracket that closes the one at `start`; -1 when it never closes or closes wrongly. */
function balancedEnd(text: string, start: number): number {
  const expected: string[] = []
  let inString = false
  for (let i = start; i < text.length; i++) {
    const char = text[i]
    if (inString) {
      if (char === '\\') i++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{') expected.push('}')
    else if (char === '[') expected.push(']')
    else if (char === '}' || char === ']') {
      if (expected.pop() !== char) return -1
      if (expected.length === 0) return i + 1
    }
  }
  return -1
}

function parseContainer(text: string): FoundJson['value'] | undefined {
  const value = tryParse(text) ?? tryParse(repair(text))
  return Array.isArray(value) || isRecord(value) ? value : undefined
}

function tryParse(text: string): unknown {
  if (text[0] !== '{' && text[0] !== '[') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Drops commas before a closing bracket and escapes raw control characters in strings. */
function repair(text: string): string {
  if (text[0] !== '{' && text[0] !== '[') return text
  const strings = /"(?:[^"\\]|\\[\s\S])*"|,(?=\s*[}\]])/g
  return text.replace(strings, (match) => (match === ',' ? '' : escapeControls(match)))
}

function escapeControls(literal: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids raw in strings
  return literal.replace(/[\u0000-\u001f]/g, (char) => JSON.stringify(char).slice(1, -1))
}
