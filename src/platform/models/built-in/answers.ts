import type { Evidence } from '../ports.ts'
import { ANSWER_FRAMES, type AnswerFrame } from './answer-frames.ts'
import { detectLanguage } from './detect-language.ts'
import { chooseEvidence } from './evidence-choice.ts'
import { splitSentences } from './sentences.ts'
import { contentTerms } from './terms.ts'

/** The usual estimate for Latin text; a Han or kana character is about one token. */
const CHARS_PER_TOKEN = 4
const MAX_QUERY_CHARS = 160
/** One quote; of longer evidence (mental models) the sentences that bear on the query most are taken. */
const MAX_QUOTE_CHARS = 700
/** Between sentences that do not stand side by side in the evidence. */
const GAP = ' … '
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu

export interface Answer {
  /** Opening line; the whole answer when nothing is quoted. */
  readonly opening: string
  /** Markdown bullets, one a quote, in the order of `quoted`. */
  readonly bullets: readonly string[]
  readonly closing: string | null
  readonly quoted: readonly Evidence[]
}

export interface AnswerInput {
  readonly query: string
  readonly evidence: readonly Evidence[]
  readonly maxTokens: number
}

/**
 * An answer that only quotes: which evidence bears on the query, in the order of time, within roughly `maxTokens`. At
 * least one quote is given when any evidence bears on it, shortened if need be. Never empty.
 */
export function composeAnswer(input: AnswerInput): Answer {
  const frame = ANSWER_FRAMES[detectLanguage(input.query)]
  const query = shorten(oneLine(input.query), MAX_QUERY_CHARS)
  const chosen = chooseEvidence(input.query, input.evidence)
  if (chosen.length === 0) {
    return { opening: fill(frame.nothing, query), bullets: [], closing: null, quoted: [] }
  }
  const opening = fill(frame.opening, query)
  let left = input.maxTokens - estimateTokens(opening) - estimateTokens(frame.closing)
  const bullets: string[] = []
  const quoted: Evidence[] = []
  for (const item of chosen) {
    const bullet = bulletOf(item, input.query, frame)
    const cost = estimateTokens(bullet)
    if (cost > left && bullets.length > 0) break
    bullets.push(cost > left ? shorten(bullet, Math.max(left * CHARS_PER_TOKEN, 80)) : bullet)
    quoted.push(item)
    left -= cost
  }
  return { opening, bullets, closing: frame.closing, quoted }
}

/** The answer as Markdown. */
export function renderAnswer(answer: Answer): string {
  return answerPieces(answer).join('')
}

/** The pieces of `renderAnswer`, to be sent one by one. */
export function answerPieces(answer: Answer): string[] {
  const pieces = [answer.opening]
  for (const [at, bullet] of answer.bullets.entries())
    pieces.push(`${at === 0 ? '\n\n' : '\n'}${bullet}`)
  if (answer.closing !== null) pieces.push(`\n\n${answer.closing}`)
  return pieces
}

function bulletOf(item: Evidence, query: string, frame: AnswerFrame): string {
  return `- ${dateOf(item, frame)}${excerpt(item.text, query)}`
}

function dateOf(item: Evidence, frame: AnswerFrame): string {
  if (item.occurredStart !== null) return `${isoDay(item.occurredStart)}: `
  return item.mentionedAt === null ? '' : `(${frame.mentioned} ${isoDay(item.mentionedAt)}) `
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** Evidence on one line, so that it cannot leave its bullet; verbatim otherwise. */
function excerpt(text: string, query: string): string {
  const line = oneLine(text)
  if (line.length <= MAX_QUOTE_CHARS) return line
  const asked = contentTerms(query)
  const sentences = splitSentences(text).map((sentence, at) => ({
    text: sentence.text,
    at,
    shared: countShared(contentTerms(sentence.text), asked),
  }))
  const bearing = sentences.filter((sentence) => sentence.shared > 0)
  const ranked = (bearing.length > 0 ? bearing : sentences).sort(
    (a, b) => b.shared - a.shared || a.at - b.at,
  )
  const taken: typeof ranked = []
  let length = 0
  for (const sentence of ranked) {
    length += sentence.text.length + GAP.length
    if (length > MAX_QUOTE_CHARS && taken.length > 0) break
    taken.push(sentence)
  }
  taken.sort((a, b) => a.at - b.at)
  return shorten(taken.map((sentence) => sentence.text).join(GAP), MAX_QUOTE_CHARS)
}

function countShared(terms: ReadonlySet<string>, asked: ReadonlySet<string>): number {
  let shared = 0
  for (const term of asked) if (terms.has(term)) shared++
  return shared
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Cuts at a blank where one is near, never inside a surrogate pair. */
function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = [...text.slice(0, maxChars)].slice(0, -1).join('')
  const blank = head.lastIndexOf(' ')
  return `${blank > maxChars * 0.7 ? head.slice(0, blank) : head}…`
}

function fill(template: string, query: string): string {
  return template.replace('{query}', () => query)
}

function estimateTokens(text: string): number {
  const wide = text.match(CJK)?.length ?? 0
  return Math.ceil(wide + (text.length - wide) / CHARS_PER_TOKEN)
}
