import type { Period } from './calendar.ts'

/** One reading of a part of a sentence as a time. */
export interface DateCandidate {
  readonly index: number
  readonly length: number
  /** Finest wins among several: instant 4, day 3, week or range 2, month 1, year 0. */
  readonly precision: number
  readonly period: Period
}

export const PRECISION = { instant: 4, day: 3, week: 2, range: 2, month: 1, year: 0 } as const

export function overlaps(a: DateCandidate, index: number, length: number): boolean {
  return index < a.index + a.length && a.index < index + length
}
