import { monthPeriod, yearPeriod } from './calendar.ts'
import { type DateCandidate, PRECISION } from './date-candidates.ts'
import { monthNames, tenseOf, yearByTense } from './date-words.ts'
import type { Language } from './languages.ts'

/** What must stand before a bare number for it to be a year: "in 2022" is one, "port 2022" is none. */
const YEAR_CUES: Readonly<Partial<Record<Language, string>>> = {
  en: 'in|during|throughout|year|early|late|mid|around',
  de: 'im jahre?|anno|anfang|ende|mitte|jahr|in',
  es: 'en|durante|año',
  fr: 'en|année',
  it: 'nel|anno',
  pt: 'em|ano',
  nl: 'in|jaar',
  ru: 'в',
}
/** Not the start of a date or a fraction, not a count ("in 2000 steps" is caught by its following plural). */
const AFTER_YEAR =
  '(?![\\p{L}\\p{N}]|[-/.,:]\\d| (?:people|times|steps|words|users|units|dollars|euros|miles|km|meters|pages|items))'

/** Before a month without a year: "im Mai". English has a parser that knows more about its ambiguous months. */
const MONTH_CUES: Readonly<Partial<Record<Language, string>>> = {
  de: 'im',
  es: 'en',
  fr: 'en',
  it: 'a|in',
  pt: 'em',
  nl: 'in',
  ru: 'в',
}

const monthPatterns = new Map<Language, RegExp>()

/** "May 2023", "in 2022", and with an anchor "im Mai": whole months and years. For languages other than zh and ja. */
export function findMonthsAndYears(
  sentence: string,
  anchor: Date | null,
  language: Language,
): DateCandidate[] {
  const found = anchor === null ? [] : findBareMonths(sentence, anchor, language)
  for (const match of sentence.matchAll(monthPatternOf(language))) {
    if (hasDayBefore(sentence, match.index)) continue
    const month = monthNames(language).get((match[1] ?? '').toLowerCase()) ?? 0
    const period = monthPeriod(Number(match[2]), month)
    if (period !== null) found.push(candidate(match, PRECISION.month, period))
  }
  const cues = YEAR_CUES[language]
  if (cues === undefined) return found
  const years = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${cues})[ -]((?:1[89]|20)\\d{2})${AFTER_YEAR}`,
    'giu',
  )
  for (const match of sentence.matchAll(years)) {
    const period = yearPeriod(Number(match[1]))
    if (period !== null) found.push(candidate(match, PRECISION.year, period))
  }
  return found
}

function findBareMonths(sentence: string, anchor: Date, language: Language): DateCandidate[] {
  const cues = MONTH_CUES[language]
  if (cues === undefined) return []
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${cues}) (${monthList(language)})(?![\\p{L}\\p{N}]| (?:de )?\\d)`,
    'giu',
  )
  const found: DateCandidate[] = []
  for (const match of sentence.matchAll(pattern)) {
    const month = monthNames(language).get((match[1] ?? '').toLowerCase()) ?? 0
    const period = monthPeriod(yearByTense(month, 1, anchor, tenseOf(sentence)), month)
    if (period !== null) found.push(candidate(match, PRECISION.month, period))
  }
  return found
}

/** Longest first, so that no name hides behind its own beginning. */
function monthList(language: Language): string {
  return [...monthNames(language).keys()].sort((a, b) => b.length - a.length).join('|')
}

function monthPatternOf(language: Language): RegExp {
  const known = monthPatterns.get(language)
  if (known !== undefined) return known
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(${monthList(language)}),? (?:de |of |года? )?(\\d{4})(?![\\p{L}\\p{N}]|[-/.:]\\d)`,
    'giu',
  )
  monthPatterns.set(language, pattern)
  return pattern
}

/** A day stands before the month: the date is that day's, and if there is no such day (30 February), nobody's. */
function hasDayBefore(sentence: string, index: number): boolean {
  return /\d{1,2}(?:st|nd|rd|th|er|º|\.)?\s(?:de |of )?$/iu.test(sentence.slice(0, index))
}

function candidate(
  match: RegExpExecArray,
  precision: number,
  period: DateCandidate['period'],
): DateCandidate {
  return { index: match.index, length: match[0].length, precision, period }
}
