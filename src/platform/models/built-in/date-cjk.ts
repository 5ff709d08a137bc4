import {
  dayPeriod,
  monthPeriod,
  type Period,
  relativePeriod,
  type Unit,
  weekdayPeriod,
  weekendPeriod,
  yearPeriod,
} from './calendar.ts'
import { type DateCandidate, PRECISION } from './date-candidates.ts'
import { readNumber } from './date-words.ts'

const ABSOLUTE = /(?<!\d)(\d{4})年(?![前间間])(?:\s?(\d{1,2})月(?:份)?(?:\s?(\d{1,2})[日号號])?)?/gu
const MONTH_OF_YEAR =
  /(前年|去年|昨年|今年|明年|来年)の?(\d{1,2}|十[一二]?|[一二三四五六七八九])月(?![\d日号號])/gu
const YEAR_OFFSETS: Readonly<Record<string, number>> = {
  前年: -2,
  去年: -1,
  昨年: -1,
  今年: 0,
  明年: 1,
  来年: 1,
}
const MONTH_DAY = /(?<![\d年])(\d{1,2})月(\d{1,2})[日号號]/gu
const WEEKDAY =
  /(上|这|這|本|下|先|今|来)(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?:の)?([一二三四五六日天末月火水木金土])(?:曜日?)?/gu
const AGO =
  /(?<!\d)(\d{1,4}|[一二两兩三四五六七八九十]{1,2})\s?(天|日|周|週|个星期|個星期|星期|週間|个月|個月|ヶ月|か月|カ月|年)(?:之)?前/gu
const DAYS = '一二三四五六日'
const JAPANESE_DAYS = '月火水木金土'
const WORDS: ReadonlyArray<readonly [RegExp, Unit, number]> = [
  [/大前天/gu, 'day', -3],
  [/(?<!大)前天|一昨日|おととい/gu, 'day', -2],
  [/昨天|昨晚|昨夜|(?<!一)昨日|きのう/gu, 'day', -1],
  [/今天|今晚|今早|今日/gu, 'day', 0],
  [/明天|明早|明日|あした/gu, 'day', 1],
  [/后天|後天|明後日|あさって/gu, 'day', 2],
  [/(?:上个?|上個|先)(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天末の])/gu, 'week', -1],
  [/(?:这个?|這個?|本|今)(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天末の])/gu, 'week', 0],
  [/(?:下个?|下個|来)(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天末の])/gu, 'week', 1],
  [/上个?月|上個月|先月/gu, 'month', -1],
  [/这个月|這個月|本月|今月/gu, 'month', 0],
  [/下个?月|下個月|来月/gu, 'month', 1],
  [/前年|一昨年|おととし/gu, 'year', -2],
  [/去年|昨年/gu, 'year', -1],
  [/今年/gu, 'year', 0],
  [/明年|来年/gu, 'year', 1],
]

/** Chinese and Japanese dates; without an anchor only those with a year. */
export function findCjkDates(sentence: string, anchor: Date | null): DateCandidate[] {
  const found: DateCandidate[] = []
  for (const match of sentence.matchAll(ABSOLUTE)) {
    const [year, month, day] = [match[1], match[2], match[3]].map(Number) as [
      number,
      number,
      number,
    ]
    if (match[3] !== undefined) push(found, match, 'day', dayPeriod(year, month, day))
    else if (match[2] !== undefined) push(found, match, 'month', monthPeriod(year, month))
    else push(found, match, 'year', yearPeriod(year))
  }
  if (anchor !== null) findRelativeCjk(sentence, anchor, found)
  return found
}

function findRelativeCjk(sentence: string, anchor: Date, found: DateCandidate[]): void {
  for (const [pattern, unit, offset] of WORDS) {
    for (const match of sentence.matchAll(pattern)) {
      push(found, match, unit, relativePeriod(anchor, unit, offset))
    }
  }
  for (const match of sentence.matchAll(MONTH_OF_YEAR)) {
    const year = anchor.getUTCFullYear() + (YEAR_OFFSETS[match[1] ?? ''] ?? 0)
    push(found, match, 'month', monthPeriod(year, readNumber(match[2] ?? '', 'zh')))
  }
  for (const match of sentence.matchAll(MONTH_DAY)) {
    push(
      found,
      match,
      'day',
      dayPeriod(anchor.getUTCFullYear(), Number(match[1]), Number(match[2])),
    )
  }
  for (const match of sentence.matchAll(WEEKDAY)) {
    const week = '上先'.includes(match[1] ?? '') ? -1 : '下来'.includes(match[1] ?? '') ? 1 : 0
    const name = match[2] === '天' ? '日' : (match[2] ?? '')
    if (name === '末') push(found, match, 'week', weekendPeriod(anchor, week))
    else push(found, match, 'day', weekdayPeriod(anchor, weekdayIndex(name), week))
  }
  for (const match of sentence.matchAll(AGO)) {
    const unit = unitOf(match[2] ?? '')
    const number = readNumber(match[1] ?? '', 'zh')
    if (!Number.isNaN(number)) push(found, match, unit, relativePeriod(anchor, unit, -number))
  }
}

function weekdayIndex(name: string): number {
  const chinese = DAYS.indexOf(name)
  return chinese >= 0 ? chinese : JAPANESE_DAYS.indexOf(name)
}

function unitOf(word: string): Unit {
  if (word === '天' || word === '日') return 'day'
  if (word === '年') return 'year'
  return word.includes('月') ? 'month' : 'week'
}

function push(found: DateCandidate[], match: RegExpExecArray, unit: Unit, period: Period | null) {
  if (period === null) return
  found.push({ index: match.index, length: match[0].length, precision: PRECISION[unit], period })
}
