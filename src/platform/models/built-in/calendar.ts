/** A closed range of instants, UTC: 00:00:00.000 of its first day to 23:59:59.999 of its last, or one instant twice. */
export interface Period {
  readonly start: Date
  readonly end: Date
}

export type Unit = 'day' | 'week' | 'month' | 'year'

/** Years outside are slips or fiction ("40000 years ago") and would overflow later arithmetic. */
const FIRST_YEAR = 1000
const LAST_YEAR = 2199
const DAY_MS = 86_400_000

/** Date.UTC reads the years 0 to 99 as 1900 to 1999. */
function utc(year: number, month: number, day: number): Date {
  return new Date(year < FIRST_YEAR ? Number.NaN : Date.UTC(year, month, day))
}

/** The whole day, or null when there is no such day (30 February) or the year is out of range. Months from 1. */
export function dayPeriod(year: number, month: number, day: number): Period | null {
  const start = utc(year, month - 1, day)
  const exists = start.getUTCMonth() === month - 1 && start.getUTCDate() === day
  return exists ? spanDays(start, start) : null
}

/** The whole month, from 1; null out of range. */
export function monthPeriod(year: number, month: number): Period | null {
  if (month < 1 || month > 12) return null
  return spanDays(utc(year, month - 1, 1), utc(year, month, 0))
}

export function yearPeriod(year: number): Period | null {
  return spanDays(utc(year, 0, 1), utc(year, 11, 31))
}

/** The calendar unit `offset` units after the one that holds `anchor`; weeks run from Monday to Sunday. */
export function relativePeriod(anchor: Date, unit: Unit, offset: number): Period | null {
  const year = anchor.getUTCFullYear()
  if (unit === 'year') return yearPeriod(year + offset)
  if (unit === 'month') {
    const first = utc(year, anchor.getUTCMonth() + offset, 1)
    return monthPeriod(first.getUTCFullYear(), first.getUTCMonth() + 1)
  }
  if (unit === 'day') {
    const day = addDays(anchor, offset)
    return spanDays(day, day)
  }
  const monday = addDays(mondayOf(anchor), 7 * offset)
  return spanDays(monday, addDays(monday, 6))
}

/** Monday is 0. */
export function weekdayPeriod(anchor: Date, weekday: number, weekOffset: number): Period | null {
  const day = addDays(mondayOf(anchor), 7 * weekOffset + weekday)
  return spanDays(day, day)
}

/** Saturday and Sunday; the last weekend is the one of the latest Saturday before today that is over. */
export function weekendPeriod(anchor: Date, offset: number): Period | null {
  const saturday = addDays(mondayOf(anchor), 5 + 7 * offset)
  return spanDays(saturday, addDays(saturday, 1))
}

/** Days relative to the anchor, both included. */
export function daysAround(anchor: Date, from: number, to: number): Period | null {
  return spanDays(addDays(anchor, from), addDays(anchor, to))
}

/** From the first day's start to the last day's end; null when out of range or reversed. */
export function spanDays(first: Date, last: Date): Period | null {
  const start = startOfDay(first)
  const end = new Date(startOfDay(last).getTime() + DAY_MS - 1)
  return isInRange(start) && isInRange(end) && start <= end ? { start, end } : null
}

export function instantPeriod(instant: Date): Period | null {
  return isInRange(instant) ? { start: instant, end: instant } : null
}

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS)
}

function mondayOf(date: Date): Date {
  return addDays(date, -((date.getUTCDay() + 6) % 7))
}

function startOfDay(date: Date): Date {
  return new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS)
}

/** Invalid dates have the year NaN and fall out here. */
function isInRange(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR
}
