import type { Evidence } from '../ports.ts'
import { contentTerms } from './terms.ts'

/** Quotes in one answer; more are a search result, not an answer. */
const MAX_QUOTES = 10
/** Evidence read; the features cap what their tools return far below. */
const MAX_EVIDENCE = 500
/** Shares of the score: words of the query found (rare ones weigh more), and the relevance the search gave. */
const OVERLAP_SHARE = 0.65
const RELEVANCE_SHARE = 0.35
/** Without one word in common, only what the search itself holds for clearly related is quoted. */
const RELEVANT_WITHOUT_OVERLAP = 0.5
/** Quotes when nothing but the speaker's name is shared with the query: leads, not findings. */
const MAX_BY_SPEAKER = 3
const SPEAKER = /^\p{L}[\p{L}\p{M}\p{N} .'’_-]{0,40}(?=: )/u
/** Scores below this share of the best are left out. */
const CUT = 0.45
/** Added for dated evidence when the query asks for a time. */
const DATE_BONUS = 0.15
/** Jaccard similarity of content words from which two statements count as the same. */
const SAME = 0.8
const ASKS_WHEN =
  /\b(?:when|what (?:date|day|time|year|month)|how long ago|since when|wann|seit wann|cuándo|quand|quando|wanneer)\b|когда|什么时候|何时|哪天|哪年|いつ/iu

interface Quote {
  readonly evidence: Evidence
  readonly score: number
  /** All that it shares with the query is the name of who speaks. */
  readonly isBySpeakerOnly: boolean
  readonly terms: ReadonlySet<string>
}

/**
 * The evidence worth quoting for a query, oldest first where dated, undated after by score. Near-duplicates are left
 * out. Empty when nothing has a word in common with the query and nothing was found by meaning.
 */
export function chooseEvidence(query: string, evidence: readonly Evidence[]): Evidence[] {
  const asked = contentTerms(query)
  const read = evidence
    .slice(0, MAX_EVIDENCE)
    .filter((item) => item.text.trim() !== '')
    .map((item) => ({ item, terms: contentTerms(item.text) }))
  const weights = rarity(
    asked,
    read.map((entry) => entry.terms),
  )
  const asksWhen = ASKS_WHEN.test(query)
  const scored: Quote[] = []
  for (const { item, terms } of read) {
    const score = scoreOf(item, terms, weights, asksWhen)
    if (score === null) continue
    const isBySpeakerOnly = sharesSpeakerOnly(item, terms, asked)
    scored.push({ evidence: item, score, terms, isBySpeakerOnly })
  }
  scored.sort((a, b) => b.score - a.score)
  const bearing = scored.filter((quote) => !quote.isBySpeakerOnly)
  const usable = bearing.length > 0 ? bearing : scored.slice(0, MAX_BY_SPEAKER)
  const least = (usable[0]?.score ?? 0) * CUT
  return inTimeOrder(withoutRepeats(usable.filter((quote) => quote.score >= least)))
}

/** Weight of each query word: the fewer pieces of evidence have it, the more it tells; they sum up to 1. */
function rarity(
  asked: ReadonlySet<string>,
  texts: readonly ReadonlySet<string>[],
): Map<string, number> {
  const weights = new Map<string, number>()
  let sum = 0
  for (const term of asked) {
    const holders = texts.filter((terms) => terms.has(term)).length
    const weight = Math.log(1 + (texts.length + 1) / (holders + 0.5))
    weights.set(term, weight)
    sum += weight
  }
  for (const [term, weight] of weights) weights.set(term, weight / sum)
  return weights
}

function scoreOf(
  item: Evidence,
  terms: ReadonlySet<string>,
  weights: ReadonlyMap<string, number>,
  asksWhen: boolean,
): number | null {
  let overlap = 0
  for (const [term, weight] of weights) if (terms.has(term)) overlap += weight
  const relevance = Math.min(Math.max(item.relevance, 0), 1)
  if (overlap === 0 && relevance < RELEVANT_WITHOUT_OVERLAP) return null
  const bonus = asksWhen && item.occurredStart !== null ? DATE_BONUS : 0
  return OVERLAP_SHARE * overlap + RELEVANCE_SHARE * relevance + bonus
}

/** Not when the query asks for nothing but that person. */
function sharesSpeakerOnly(
  item: Evidence,
  terms: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): boolean {
  const speaker = contentTerms(SPEAKER.exec(item.text)?.[0] ?? '')
  const shared = [...asked].filter((term) => terms.has(term))
  return (
    shared.length > 0 &&
    shared.length < asked.size &&
    shared.every((term) => speaker.has(term)) &&
    item.relevance < RELEVANT_WITHOUT_OVERLAP
  )
}

function withoutRepeats(quotes: readonly Quote[]): Quote[] {
  const kept: Quote[] = []
  for (const quote of quotes) {
    if (kept.length === MAX_QUOTES) break
    if (!kept.some((other) => isSame(other, quote))) kept.push(quote)
  }
  return kept
}

/** Numbers decide: "at 18:00" and "at 20:00" are two statements however alike the rest is. */
function isSame(a: Quote, b: Quote): boolean {
  if (a.evidence.text.trim() === b.evidence.text.trim()) return true
  let shared = 0
  for (const term of a.terms) if (b.terms.has(term)) shared++
  const union = a.terms.size + b.terms.size - shared
  return union > 0 && shared / union >= SAME && numbersOf(a) === numbersOf(b)
}

function numbersOf(quote: Quote): string {
  return [...quote.terms]
    .filter((term) => /\d/.test(term))
    .sort()
    .join(' ')
}

function inTimeOrder(quotes: readonly Quote[]): Evidence[] {
  const time = (quote: Quote) =>
    (quote.evidence.occurredStart ?? quote.evidence.mentionedAt)?.getTime() ??
    Number.POSITIVE_INFINITY
  return [...quotes]
    .sort((a, b) => {
      const [left, right] = [time(a), time(b)]
      return left === right ? b.score - a.score : left < right ? -1 : 1
    })
    .map((quote) => quote.evidence)
}
