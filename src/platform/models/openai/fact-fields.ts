import type { JsonRecord } from '../../../lib/json-lenient.ts'
import { isRecord } from '../../../lib/json-lenient.ts'
import { cleanText } from '../../../lib/text.ts'

/** `what` of one fact; a whole chunk has 3000 characters. */
const MAX_STATEMENT_CHARS = 8_000
/** `when`, `who` and `why`. */
const MAX_DETAIL_CHARS = 1_000
const MAX_ENTITY_CHARS = 200
const MAX_ENTITIES = 50

/** Stored text of a fact as the model split it; '' when there is no statement in it. */
export function factText(fact: JsonRecord): string {
  const what = textOf(fact.what, MAX_STATEMENT_CHARS) || textOf(fact.text, MAX_STATEMENT_CHARS)
  if (!/[\p{L}\p{N}]/u.test(what)) return ''
  const when = textOf(fact.when, MAX_DETAIL_CHARS)
  const who = textOf(fact.who, MAX_DETAIL_CHARS)
  const why = textOf(fact.why, MAX_DETAIL_CHARS)
  const parts = [what, when && `When: ${when}`, who && `Involving: ${who}`, why]
  return parts.filter((part) => part !== '').join(' | ')
}

/** Names in order, each once. Elements may be strings or objects with the name as `text` or `name`. */
export function entityNames(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  const names = value.map((item) => {
    const name: unknown = isRecord(item) ? (item.text ?? item.name) : item
    return textOf(name, MAX_ENTITY_CHARS)
  })
  return [...new Set(names.filter((name) => name !== ''))].slice(0, MAX_ENTITIES)
}

/** `experience` for what the owner of the memory did; models mix the field up with `fact_kind`. */
export function factType(fact: JsonRecord): 'WORLD' | 'EXPERIENCE' {
  for (const value of [fact.fact_type, fact.fact_kind]) {
    const type = typeof value === 'string' ? value.trim().toLowerCase() : ''
    if (type === 'assistant' || type === 'experience') return 'EXPERIENCE'
    if (type === 'world') return 'WORLD'
  }
  return 'WORLD'
}

export function isEvent(fact: JsonRecord): boolean {
  return typeof fact.fact_kind === 'string' && fact.fact_kind.trim().toLowerCase() === 'event'
}

/** `N/A`, blank and everything that is no string are absent: ''. */
function textOf(value: unknown, maxChars: number): string {
  if (typeof value !== 'string') return ''
  const text = cleanText(value.slice(0, maxChars)).trim()
  return /^(n\/a|none|null)\.?$/i.test(text) ? '' : text
}

const ISO_DATE =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i

/**
 * An ISO 8601 date or instant; without a zone it is UTC, not the server's. Null for anything else, a day that the
 * month does not have included: a wrong date is worse than none.
 */
export function parseModelDate(value: unknown): Date | null {
  const text = typeof value === 'string' ? value.trim() : ''
  const match = ISO_DATE.exec(text)
  if (match === null) return null
  const [, year = '', month = '01', day = '01', zone] = match
  if (year === '0000' || !isDayOfMonth(Number(year), Number(month), Number(day))) return null
  const hasTime = text.length > 10
  const iso = text.replace(' ', 'T')
  const date = new Date(hasTime && zone === undefined ? `${iso}Z` : iso)
  return Number.isNaN(date.getTime()) ? null : date
}

function isDayOfMonth(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
