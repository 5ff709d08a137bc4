import type { Period } from './calendar.ts'
import { findMonthsAndYears } from './date-absolute.ts'
import { type DateCandidate, overlaps } from './date-candidates.ts'
import { findByChrono } from './date-chrono.ts'
import { findCjkDates } from './date-cjk.ts'
import { findRelative } from './date-relative.ts'
import type { Language } from './languages.ts'

/**
 * When a sentence says something happened, UTC, or null. Relative words count from `anchor`; without one only dates
 * with a year are read. A day is its whole day, "last week" Monday to Sunday, a month or a year the whole of it. Of
 * several dates the finest, then the first. Impossible and far-off dates are ignored; never throws.
 */
export function findPeriod(
  sentence: string,
  anchor: Date | null,
  language: Language,
): Period | null {
  const usable = anchor !== null && Number.isNaN(anchor.getTime()) ? null : anchor
  let best: DateCandidate | null = null
  for (const candidate of findCandidates(sentence, usable, language)) {
    if (best === null || isBetter(candidate, best)) best = candidate
  }
  return best?.period ?? null
}

function findCandidates(
  sentence: string,
  anchor: Date | null,
  language: Language,
): DateCandidate[] {
  if (language === 'zh' || language === 'ja') {
    return [...findCjkDates(sentence, anchor), ...findByChrono(sentence, null, 'en')]
  }
  const own = [
    ...(anchor === null ? [] : findRelative(sentence, anchor, language)),
    ...findMonthsAndYears(sentence, anchor, language),
  ]
  const parsed = findByChrono(sentence, anchor, language)
  // Own rules know weeks and months better, except where the parser read a longer phrase: "yesterday at 5 pm".
  const kept = parsed.filter((p) =>
    own.every((o) => !overlaps(o, p.index, p.length) || p.length > o.length + 1),
  )
  return [...own.filter((o) => !kept.some((p) => overlaps(o, p.index, p.length))), ...kept]
}

function isBetter(a: DateCandidate, b: DateCandidate): boolean {
  return a.precision > b.precision || (a.precision === b.precision && a.index < b.index)
}
