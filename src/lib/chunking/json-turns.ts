import { isRecord, type JsonRecord } from '../json-lenient.ts'
import { cleanName } from '../text.ts'
import { arrayItems, compactJson } from './json-scan.ts'

/** Where chats keep who speaks; the first key with a name wins, so that a name beats the role "user". */
const SPEAKER_KEYS = ['speaker', 'name', 'role'] as const
/** Where chats keep what is said. */
export const TEXT_KEYS: readonly string[] = ['content', 'text', 'message']

export interface JsonItem {
  /** Source of the object, without white space between tokens when it came from an array. */
  readonly source: string
  readonly value: JsonRecord
}

/** Three shapes of JSON that hold turns or records; how the items are put together again differs. */
export interface JsonItems {
  readonly shape: 'array' | 'lines' | 'object'
  readonly items: readonly JsonItem[]
}

/**
 * The objects of a JSON array of objects, of JSON lines (at least two that are not blank, each an object) or of a
 * single JSON object; null for any other text.
 */
export function readJsonItems(text: string): JsonItems | null {
  const trimmed = text.trim()
  const value = trimmed.startsWith('[') || trimmed.startsWith('{') ? parse(trimmed) : undefined
  if (isRecord(value)) return { shape: 'object', items: [{ source: compactJson(trimmed), value }] }
  if (Array.isArray(value)) return readArray(trimmed, value)
  return trimmed.startsWith('{') ? readLines(trimmed) : null
}

function readArray(source: string, values: readonly unknown[]): JsonItems | null {
  if (values.length === 0 || !values.every(isRecord)) return null
  const sources = arrayItems(source)
  return {
    shape: 'array',
    items: values.map((value, at) => ({ source: sources[at] ?? '', value })),
  }
}

function readLines(text: string): JsonItems | null {
  const items: JsonItem[] = []
  for (const line of text.split('\n')) {
    const source = line.trim()
    if (source === '') continue
    const value = source.startsWith('{') ? parse(source) : undefined
    if (!isRecord(value)) return null
    items.push({ source, value })
  }
  return items.length >= 2 ? { shape: 'lines', items } : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function speakerOf(value: JsonRecord): string | null {
  for (const key of SPEAKER_KEYS) {
    const name = value[key]
    if (typeof name === 'string' && cleanName(name) !== '') return cleanName(name)
  }
  return null
}

/** What is said: a string, or the text parts of a list of parts. Null when the object says nothing. */
export function contentOf(value: JsonRecord): string | null {
  for (const key of TEXT_KEYS) {
    const content = value[key]
    const text = Array.isArray(content) ? content.map(partText).filter(Boolean).join('\n') : content
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return null
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  return isRecord(part) && typeof part.text === 'string' ? part.text : ''
}
