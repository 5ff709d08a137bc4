import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPeriod } from '../../src/platform/models/built-in/dates.ts'
import { LANGUAGES, type Language } from '../../src/platform/models/built-in/languages.ts'

/** A Monday. */
const ANCHOR = new Date('2023-05-08T13:56:00Z')
const PLAIN = 'T00:00:00.000Z'
const DAY_END = 'T23:59:59.999Z'

/** `2023-05-07` a whole day, `a..b` from one day's start to another's end, instants in full, null for none. */
function read(text: string, language: Language, anchor: Date | null = ANCHOR): string | null {
  const period = findPeriod(text, anchor, language)
  if (period === null) return null
  const start = period.start.toISOString().replace(PLAIN, '')
  const end = period.end.toISOString().replace(DAY_END, '')
  return start === end ? start : `${start}..${end}`
}

describe('dates in English', () => {
  it.each([
    ['I saw it yesterday', '2023-05-07'],
    ['Last night we ate out', '2023-05-07'],
    ['I ran this morning', '2023-05-08'],
    ['the day before yesterday', '2023-05-06'],
    ['three days ago', '2023-05-05'],
    ['We met last Friday', '2023-05-05'],
    ['I met him on Friday', '2023-05-05'],
    ['See you Friday, I will bring cake', '2023-05-12'],
    ['we go next Tuesday', '2023-05-16'],
    ['last week we met', '2023-05-01..2023-05-07'],
    ['two weeks ago', '2023-04-24..2023-04-30'],
    ['this week', '2023-05-08..2023-05-14'],
    ['last weekend', '2023-05-06..2023-05-07'],
    ['a few days ago', '2023-05-03..2023-05-06'],
    ['We met last month', '2023-04-01..2023-04-30'],
    ['two months ago', '2023-03-01..2023-03-31'],
    ['last year', '2022-01-01..2022-12-31'],
    ['3 years ago', '2020-01-01..2020-12-31'],
    ['It was in June', '2022-06-01..2022-06-30'],
    ['the party was on 25 December', '2022-12-25'],
    ['May 5th', '2023-05-05'],
    ['tomorrow at 5pm', '2023-05-09T17:00:00.000Z..2023-05-09T17:00:00.000Z'],
    ['we will move in three years', '2026-01-01..2026-12-31'],
  ])('resolves %j against the anchor and not without one', (text, expected) => {
    const whole = expected.includes('T') ? expected.split('..')[0] : expected
    const found = read(text, 'en')
    expect(found?.includes('T') ? found.split('..')[0] : found).toBe(whole)
    expect(read(text, 'en', null)).toBeNull()
  })

  it.each([
    ['on 7 May 2023', '2023-05-07'],
    ['the 5th of May 2023', '2023-05-05'],
    ['due 2024-03-05', '2024-03-05'],
    ['May 2022', '2022-05-01..2022-05-31'],
    ['in 2022 we moved', '2022-01-01..2022-12-31'],
    ['March 3-5, 2023', '2023-03-03..2023-03-05'],
    ['from 3 May to 8 May 2023', '2023-05-03..2023-05-08'],
    ['since March 2021 she works there', '2021-03-01..2021-03-31'],
  ])('reads %j with or without an anchor', (text, expected) => {
    expect(read(text, 'en')).toBe(expected)
    expect(read(text, 'en', null)).toBe(expected)
  })

  it.each([
    'what may the team change',
    'you may 3 times',
    'May I ask a question?',
    'did April approve it',
    'approved by April',
    'May went to the park',
    'march to the office',
    'The Sun is nice',
    'I sat down',
    'every Friday we swim',
    'I worked there for 5 years',
    'he finished it in two weeks',
    'version 3.5',
    '3/4 of the cake',
    'port 2022',
    'Call me at 5',
    'now',
  ])('sees no date in %j', (text) => {
    expect(read(text, 'en')).toBeNull()
  })

  it.each([
    '40000 years ago',
    '30 February 2024',
    '31 April 2023',
    'in the year 12000',
    'year 0',
    '999999999999 days ago',
  ])('ignores the impossible %j', (text) => {
    expect(read(text, 'en')).toBeNull()
    expect(read(text, 'en', null)).toBeNull()
  })

  it('takes May for a month where a cue says so', () => {
    expect(read('what happened in May', 'en')).toBe('2023-05-01..2023-05-31')
    expect(read('I may march in March', 'en')).toBe('2023-03-01..2023-03-31')
  })

  it('takes the finest of several dates', () => {
    expect(read('In 2022 it began, and on 7 May 2023 it ended', 'en')).toBe('2023-05-07')
  })

  it('takes an invalid anchor for none', () => {
    expect(read('yesterday', 'en', new Date(Number.NaN))).toBeNull()
  })
})

describe('dates in other languages', () => {
  it.each<[Language, string, string | null]>([
    ['de', 'gestern war ich dort', '2023-05-07'],
    ['de', 'heute', '2023-05-08'],
    ['de', 'letzte Woche', '2023-05-01..2023-05-07'],
    ['de', 'vor zwei Wochen', '2023-04-24..2023-04-30'],
    ['de', 'letzten Monat', '2023-04-01..2023-04-30'],
    ['de', 'letztes Jahr', '2022-01-01..2022-12-31'],
    ['de', 'am 3. Mai 2023', '2023-05-03'],
    ['de', 'im Mai 2022', '2022-05-01..2022-05-31'],
    ['de', 'im Mai waren wir da', '2023-05-01..2023-05-31'],
    ['de', 'Guten Morgen', null],
    ['de', '30. Februar 2024', null],
    ['es', 'ayer', '2023-05-07'],
    ['es', 'la semana pasada', '2023-05-01..2023-05-07'],
    ['es', 'hace dos semanas', '2023-04-24..2023-04-30'],
    ['es', 'el 3 de mayo de 2023', '2023-05-03'],
    ['fr', 'hier', '2023-05-07'],
    ['fr', "l'année dernière", '2022-01-01..2022-12-31'],
    ['fr', 'il y a deux semaines', '2023-04-24..2023-04-30'],
    ['it', 'la settimana scorsa', '2023-05-01..2023-05-07'],
    ['it', 'il 3 maggio 2023', '2023-05-03'],
    ['pt', 'duas semanas atrás', '2023-04-24..2023-04-30'],
    ['pt', 'Tenho duas semanas', null],
    ['nl', 'vorige week', '2023-05-01..2023-05-07'],
    ['ru', 'на прошлой неделе', '2023-05-01..2023-05-07'],
    ['ru', '13 мая', '2023-05-13'],
    ['ru', 'в мае 2022', '2022-05-01..2022-05-31'],
    ['zh', '昨天我去了', '2023-05-07'],
    ['zh', '上周五开会', '2023-05-05'],
    ['zh', '上周', '2023-05-01..2023-05-07'],
    ['zh', '三天前', '2023-05-05'],
    ['zh', '两个月前', '2023-03-01..2023-03-31'],
    ['zh', '去年三月', '2022-03-01..2022-03-31'],
    ['zh', '2023年5月3日', '2023-05-03'],
    ['zh', '2023年2月30日', null],
    ['zh', '40000年前', null],
    ['ja', '先週', '2023-05-01..2023-05-07'],
    ['ja', '来週の金曜日', '2023-05-19'],
  ])('%s: %j is %j', (language, text, expected) => {
    expect(read(text, language)).toBe(expected)
  })
})

describe('dates in any text', () => {
  it('never throws, and always gives a range in order within the years that can be kept', () => {
    const piece = fc.constantFrom(
      'yesterday',
      'in',
      'May',
      'may',
      '99999',
      'years ago',
      '30',
      'February',
      '2024',
      '/',
      '-',
      'last',
      'week',
      '年',
      '前',
      'vor',
      'Wochen',
      'next',
      'Friday',
      '00:61',
      '+99:99',
      'T',
      'to',
      '0',
      '12000',
    )
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 6 })), { maxLength: 12 })
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...LANGUAGES),
        fc.date({ noInvalidDate: true }),
        (parts, language, anchor) => {
          const period = findPeriod(parts.join(' '), anchor, language)
          if (period === null) return
          expect(period.start.getTime()).toBeLessThanOrEqual(period.end.getTime())
          expect(period.start.getUTCFullYear()).toBeGreaterThanOrEqual(1000)
          expect(period.end.getUTCFullYear()).toBeLessThan(2200)
        },
      ),
    )
  })
})
