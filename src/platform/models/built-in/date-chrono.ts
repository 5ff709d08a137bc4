import type { ParsedComponents, ParsedResult } from 'chrono-node'
import * as chrono from 'chrono-node'
import {
  addDays,
  dayPeriod,
  instantPeriod,
  monthPeriod,
  type Period,
  spanDays,
  yearPeriod,
} from './calendar.ts'
import { type DateCandidate, PRECISION } from './date-candidates.ts'
import { tenseOf, yearByTense } from './date-words.ts'
import type { Language } from './languages.ts'

type ParserLanguage = Exclude<Language, 'zh' | 'ja'>

const PARSERS: Readonly<Record<ParserLanguage, { parse: typeof chrono.parse }>> = {
  en: chrono.en.casual,
  de: chrono.de.casual,
  es: chrono.es.casual,
  fr: chrono.fr.casual,
  it: chrono.it.casual,
  pt: chrono.pt.casual,
  nl: chrono.nl.casual,
  ru: chrono.ru.casual,
}
/** Parsing needs some reference; what depends on it is thrown away when there is no anchor. */
const NO_ANCHOR = new Date(Date.UTC(2000, 0, 1))
const HAS_YEAR = /(?<!\d)\d{4}(?!\d)|\d{1,2}\/\d{1,2}\/\d{2}(?!\d)/
/** 3/4, 3.5, 1.2.3: fractions and versions. */
const NUMBERS_ONLY = /^(?:\d{1,2}[./-]\d{1,2}|\d+\.\d+\.\d{1,3})$/
/** "for 5 years" and "the last two weeks" last; "now" and "the next day" hang on something not said. */
const NO_DATE =
  /^(?:(?:for|within|over|during)\s.*|every.*|each.*|now|jetzt|ahora|maintenant|adesso|agora|nu|сейчас|(?:the )?(?:last|past|next|previous|following)\s(?:[\p{L}\d]+\s)?(?:seconds?|minutes?|hours?|days?|weeks|months|years)|(?:the )?(?:same|next|following|previous) day|in the year)$/iu
/** "in two weeks" is a future date or a duration ("finished in two weeks"): only the tense tells. */
const IN_UNITS = /^in (?:\p{L}+|\d+) (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)/iu
const BARE_SHORT =
  /^(?:sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|mo|di|mi|do|fr|sa|so|mar|lun|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom|gio|sab)\.?$/iu
/** Months that are verbs or given names as well: they need a cue to be months. */
const AMBIGUOUS_MONTH = /(?:^|\s)(may|march|april|june|august)(?![\p{L}])/iu
const CLEAR_CUE =
  /(?:^|[\s(])(?:in|during|throughout|since|until|till|last|next|this|early|late|mid|mid-)[\s-]?$/iu
const ANY_CUE =
  /(?:^|[\s(])(?:in|during|throughout|since|until|till|last|next|this|early|late|mid|mid-|by|of|from|to|around|before|after|between|and|for|im|ab|seit|bis|en|desde|depuis|à|nel|da|em|sinds|в|с|к|до)[\s-]?$/iu
const RECURRING =
  /(?:^|\s)(?:every|each|on|most|jeden|jede|cada|todos los|chaque|ogni|todo|elke|каждый|каждую)\s$/iu

/** What chrono-node reads in the sentence, less what is only a word that looks like a date. */
export function findByChrono(
  sentence: string,
  anchor: Date | null,
  language: ParserLanguage,
): DateCandidate[] {
  const reference = { instant: anchor ?? NO_ANCHOR, timezone: 0 }
  const found: DateCandidate[] = []
  // The parser takes "from 3 May to 8 May" for 3 o'clock; blanks keep the places.
  const readable = sentence.replace(/\bfrom (?=\d)/giu, '     ')
  for (const result of parseSafely(readable, reference, language)) {
    if (anchor === null && !HAS_YEAR.test(result.text)) continue
    if (!isDate(result, sentence)) continue
    const candidate = toCandidate(result, anchor ?? NO_ANCHOR, tenseOf(sentence))
    if (candidate !== null) found.push(candidate)
  }
  return found
}

/** A parser error means "no date", never a failed extraction. */
function parseSafely(
  sentence: string,
  reference: { instant: Date; timezone: number },
  language: ParserLanguage,
): ParsedResult[] {
  try {
    return PARSERS[language].parse(sentence, reference)
  } catch {
    return []
  }
}

function isDate(result: ParsedResult, sentence: string): boolean {
  const { text, index, start } = result
  const before = sentence.slice(0, index)
  const after = sentence.slice(index + text.length)
  if (NUMBERS_ONLY.test(text) || BARE_SHORT.test(text) || NO_DATE.test(text)) return false
  if (/^[\p{L}\p{N}]/u.test(after) && /[\p{L}\p{N}]$/u.test(text)) return false
  if (IN_UNITS.test(text) && tenseOf(sentence) !== 1) return false
  const names = ['year', 'month', 'day', 'weekday'] as const
  if (!names.some((name) => start.isCertain(name))) return isDayPart(text)
  if (isBareWeekday(start) && (RECURRING_WEEKDAY.test(before) || /^s\b/.test(after))) return false
  return isMonthWord(result, before, after)
}

const RECURRING_WEEKDAY =
  /(?:^|\s)(?:every|each|most|jeden|cada|chaque|ogni|todo|elke|каждый|каждую)\s(?:other\s)?$/iu
/** "this morning" and the like name today; a bare time of day ("at 10") names no day. */
function isDayPart(text: string): boolean {
  return /^(?:this (?:morning|afternoon|evening)|tonight|heute|heute .*|cette nuit|ce soir|ce matin|stasera|stamattina|esta (?:mañana|tarde|noche)|vanavond|vanochtend|сегодня.*)$/iu.test(
    text,
  )
}

function isBareWeekday(start: ParsedComponents): boolean {
  return start.isCertain('weekday') && !start.isCertain('day') && !start.isCertain('month')
}

function isMonthWord(result: ParsedResult, before: string, after: string): boolean {
  const { text, start } = result
  if (!start.isCertain('month') || RELATIVE_WORD.test(text)) return true
  if (start.isCertain('day') && !/\d/.test(text)) return isDayWord(text, before)
  const hasDigit = /\d/.test(text)
  // "30 February 2024" must not become February when only the month was understood.
  if (
    !start.isCertain('day') &&
    (/\d{1,2}(?:st|nd|rd|th|\.)?\s(?:of\s)?$/iu.test(before) || /^\s\d{1,2}(?!\d)/.test(after))
  ) {
    return false
  }
  const ambiguous = AMBIGUOUS_MONTH.exec(text)?.[1]
  if (RECURRING.test(before) && !hasDigit) return false
  if (ambiguous === undefined) return hasDigit || ANY_CUE.test(before)
  const capital = /^\p{Lu}/u.test(ambiguous)
  if (!hasDigit) return capital && CLEAR_CUE.test(before)
  return capital || HAS_YEAR.test(text) || /\d(?:st|nd|rd|th)\b/.test(text)
}

/** heute, hoy, demain ...; "Guten Morgen" and "la mañana" are the morning, not tomorrow. */
function isDayWord(text: string, before: string): boolean {
  if (
    /^(?:morgen|mañana)$/i.test(text) &&
    /(?:guten|goede|buena|la|esta|am|jeden)\s$/iu.test(before)
  )
    return false
  return text !== 'Morgen' || before === ''
}

/** A number that is read as a time of day must look like one: "from 3 May" has none. */
const EXPLICIT_TIME =
  /\d[:.h]\d\d|\d\s?(?:[ap]\.?m\b|uhr|h\b|o['’]clock)|T\d\d|noon|midnight|(?:minute|hour|second|stunde|heure|hora|or[ae]|uur|час|минут)/iu

const RELATIVE_WORD = /\b(?:ago|last|next|this|yesterday|today|tomorrow|tonight)\b/iu

function toCandidate(result: ParsedResult, anchor: Date, tense: -1 | 0 | 1): DateCandidate | null {
  const end = result.end
  // "3 May to 8 May 2023": one year for both.
  const endYear = end?.isCertain('year') ? end.get('year') : null
  const first = resolve(result.start, anchor, tense, result.text, endYear)
  const last = end ? resolve(end, anchor, tense, result.text) : first
  if (first === null || last === null || first.period.start > last.period.end) return null
  return {
    index: result.index,
    length: result.text.length,
    precision: result.end ? Math.min(first.precision, PRECISION.range) : first.precision,
    period: { start: first.period.start, end: last.period.end },
  }
}

interface Resolved {
  readonly period: Period
  readonly precision: number
}

function resolve(
  parts: ParsedComponents,
  anchor: Date,
  tense: -1 | 0 | 1,
  text: string,
  otherYear: number | null = null,
): Resolved | null {
  const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')]
  if (year === null || month === null || day === null) return null
  if (parts.isCertain('hour') && EXPLICIT_TIME.test(text)) {
    return wrap(instantPeriod(parts.date()), PRECISION.instant)
  }
  if (isBareWeekday(parts)) return wrap(placeWeekday(parts, anchor, tense, text), PRECISION.day)
  if (!parts.isCertain('month')) {
    if (parts.isCertain('year')) return wrap(yearPeriod(year), PRECISION.year)
    return wrap(dayPeriod(year, month, day), PRECISION.day)
  }
  const hasDay = parts.isCertain('day')
  const placed = parts.isCertain('year')
    ? year
    : (otherYear ?? yearByTense(month, hasDay ? day : 1, anchor, tense))
  return hasDay
    ? wrap(dayPeriod(placed, month, day), PRECISION.day)
    : wrap(monthPeriod(placed, month), PRECISION.month)
}

function wrap(period: Period | null, precision: number): Resolved | null {
  return period === null ? null : { period, precision }
}

/** The parser takes the nearest such day; where the tense is clear, it must lie on that side of the anchor. */
function placeWeekday(
  parts: ParsedComponents,
  anchor: Date,
  tense: -1 | 0 | 1,
  text: string,
): Period | null {
  const nearest = dayPeriod(parts.get('year') ?? 0, parts.get('month') ?? 0, parts.get('day') ?? 0)
  if (nearest === null || /\b(?:last|next|this|past)\b/iu.test(text)) return nearest
  const isBehind = nearest.end < anchor
  const isAhead = nearest.start > anchor
  const days = tense < 0 && isAhead ? -7 : tense > 0 && isBehind ? 7 : 0
  const moved = addDays(nearest.start, days)
  return spanDays(moved, moved)
}
