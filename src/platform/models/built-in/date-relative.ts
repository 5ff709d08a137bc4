import { daysAround, type Period, relativePeriod, type Unit, weekendPeriod } from './calendar.ts'
import { type DateCandidate, PRECISION } from './date-candidates.ts'
import { readNumber } from './date-words.ts'
import type { Language } from './languages.ts'

type LatinLanguage = Exclude<Language, 'zh' | 'ja'>

/** Patterns of "last / this / next UNIT"; `\b` knows no letters beyond ASCII, so blanks and ends are asked for by hand. */
const CALENDAR_WORDS: Readonly<Record<LatinLanguage, Readonly<Record<string, string>>>> = {
  en: {
    'week-2': 'the week before last',
    'week-1': 'last week',
    week0: 'this week',
    week1: 'next week',
    'month-2': 'the month before last',
    'month-1': 'last month',
    month0: 'this month',
    month1: 'next month',
    'year-2': 'the year before last',
    'year-1': 'last year',
    year0: 'this year',
    year1: 'next year',
    'weekend-1': 'last weekend|(?:over|at) the weekend',
    weekend0: 'this weekend',
    weekend1: 'next weekend',
    'day-2': 'the day before yesterday',
    day2: 'the day after tomorrow',
    'day-1': 'yesterday|last night',
  },
  de: {
    'week-2': 'vorletzte(?:r|n)? woche',
    'week-1': '(?:letzte|vergangene|vorige)n?r? woche',
    week0: 'diese(?:r)? woche',
    week1: '(?:nächste|kommende)r?n? woche',
    'month-2': 'vorletzte[nrs]? monat',
    'month-1': '(?:letzte|vergangene|vorige)[nmrs]? monat',
    month0: 'diese[nm] monat',
    month1: '(?:nächste|kommende)[nmr] monat',
    'year-2': 'vorletzte[sn] jahr',
    'year-1': '(?:letzte|vergangene|vorige)[sn] jahr',
    year0: 'diese[sm] jahr',
    year1: '(?:nächste|kommende)[sn] jahr',
    'weekend-1': '(?:letzte|vergangene)[sn] wochenende',
    weekend0: 'dieses wochenende',
    weekend1: '(?:nächste|kommende)[sn] wochenende',
    'day-2': 'vorgestern',
    day2: 'übermorgen',
    'day-1': 'gestern(?: abend| nacht)?',
  },
  es: {
    'week-1': '(?:la )?semana pasada',
    week0: 'esta semana',
    week1: '(?:la )?(?:próxima semana|semana que viene)',
    'month-1': '(?:el )?mes pasado',
    month0: 'este mes',
    month1: '(?:el )?(?:próximo mes|mes que viene)',
    'year-1': '(?:el )?año pasado',
    year0: 'este año',
    year1: '(?:el )?(?:próximo año|año que viene)',
    'weekend-1': 'fin de semana pasado',
    weekend0: 'este fin de semana',
    weekend1: 'próximo fin de semana',
    'day-2': 'anteayer|antier',
    day2: 'pasado mañana',
    'day-1': 'ayer|anoche',
  },
  fr: {
    'week-1': 'la semaine (?:dernière|passée)',
    week0: 'cette semaine',
    week1: 'la semaine prochaine',
    'month-1': 'le mois (?:dernier|passé)',
    month0: 'ce mois(?:-ci)?',
    month1: 'le mois prochain',
    'year-1': "l['’]an(?:née)? (?:dernière|dernier|passée|passé)",
    year0: 'cette année',
    year1: "l['’]an(?:née)? (?:prochaine|prochain)",
    'weekend-1': 'le week-?end (?:dernier|passé)',
    weekend0: 'ce week-?end',
    weekend1: 'le week-?end prochain',
    'day-2': 'avant-hier',
    day2: 'après-demain',
    'day-1': 'hier(?: soir)?',
  },
  it: {
    'week-1': '(?:la )?(?:settimana scorsa|scorsa settimana)',
    week0: 'questa settimana',
    week1: '(?:la )?(?:prossima settimana|settimana prossima)',
    'month-1': '(?:il )?mese scorso|lo scorso mese',
    month0: 'questo mese',
    month1: '(?:il )?(?:prossimo mese|mese prossimo)',
    'year-1': "(?:l['’])?anno scorso|lo scorso anno",
    year0: "quest['’]anno",
    year1: "(?:l['’])?anno prossimo|il prossimo anno",
    'weekend-1': 'lo scorso weekend|fine settimana scorso',
    weekend0: 'questo (?:weekend|fine settimana)',
    weekend1: 'prossimo (?:weekend|fine settimana)',
    'day-2': "l['’]altro ieri|ieri l['’]altro",
    day2: 'dopodomani',
    'day-1': 'ieri(?: sera)?',
  },
  pt: {
    'week-1': '(?:a |na )?semana passada',
    week0: '(?:esta|nesta|essa) semana',
    week1: '(?:a |na )?(?:próxima semana|semana que vem)',
    'month-1': '(?:o |no )?mês passado',
    month0: '(?:este|neste) mês',
    month1: '(?:o |no )?(?:próximo mês|mês que vem)',
    'year-1': '(?:o |no )?ano passado',
    year0: '(?:este|neste) ano',
    year1: '(?:o |no )?(?:próximo ano|ano que vem)',
    'weekend-1': 'fim de semana passado',
    weekend0: '(?:este|neste) fim de semana',
    weekend1: 'próximo fim de semana',
    'day-2': 'anteontem',
    day2: 'depois de amanhã',
    'day-1': 'ontem(?: à noite)?',
  },
  nl: {
    'week-1': '(?:vorige|afgelopen) week',
    week0: 'deze week',
    week1: '(?:volgende|komende) week',
    'month-1': '(?:vorige|afgelopen) maand',
    month0: 'deze maand',
    month1: '(?:volgende|komende) maand',
    'year-1': '(?:vorig|afgelopen) jaar',
    year0: 'dit jaar',
    year1: '(?:volgend|komend) jaar',
    'weekend-1': '(?:vorig|afgelopen) weekend',
    weekend0: 'dit weekend',
    weekend1: '(?:volgend|komend) weekend',
    'day-2': 'eergisteren',
    day2: 'overmorgen',
    'day-1': 'gisteren(?:avond)?',
  },
  ru: {
    'week-1': '(?:на )?прошлой неделе|прошлую неделю',
    week0: '(?:на )?этой неделе',
    week1: '(?:на )?следующей неделе',
    'month-1': '(?:в )?прошлом месяце',
    month0: '(?:в )?этом месяце',
    month1: '(?:в )?следующем месяце',
    'year-1': '(?:в )?прошлом году',
    year0: '(?:в )?этом году',
    year1: '(?:в )?следующем году',
    'weekend-1': '(?:в |на )?прошлые выходные|прошлых выходных',
    weekend0: '(?:в |на )?эти выходные',
    weekend1: '(?:в |на )?следующие выходные',
    'day-2': 'позавчера',
    day2: 'послезавтра',
    'day-1': 'вчера(?: вечером)?',
  },
}

/** "N UNITS ago": groups 1 the number and 2 the unit. */
const AGO: Readonly<Record<LatinLanguage, string>> = {
  en: '(\\d+|[a-z]+) (days?|weeks?|months?|years?) ago',
  de: 'vor (\\d+|[a-zäöü]+) (tage?n?|wochen?|monate?n?|jahre?n?)',
  es: 'hace (\\d+|[a-z]+) (días?|semanas?|mes(?:es)?|años?)',
  fr: 'il y a (\\d+|[a-z]+) (jours?|semaines?|mois|ans?|années?)',
  it: '(\\d+|[a-z]+) (giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa',
  pt: '(?:há )?(\\d+|[a-zê]+) (dias?|semanas?|m[êe]s(?:es)?|anos?)(?: atrás)?',
  nl: '(\\d+|[a-zé]+) (dagen|dag|weken|week|maanden|maand|jaar|jaren) geleden',
  ru: '(?:(\\d+|[а-я]+) )?(день|дня|дней|неделю|недели|недель|месяц|месяца|месяцев|год|года|лет) назад',
}
const UNIT_STEMS: ReadonlyArray<readonly [RegExp, Unit]> = [
  [/^(?:day|tag|día|jour|giorn|dia|dag|день|дн)/, 'day'],
  [/^(?:week|woche|semana|semaine|settiman|weken|недел)/, 'week'],
  [/^(?:month|monat|mes|mois|m[êe]s|maand|месяц)/, 'month'],
  [/^(?:year|jahr|año|an|jaar|jaren|год|лет)/, 'year'],
]
/** English only, as in the memory reference: a couple is one to three, a few two to five. */
const VAGUE =
  /(?<![\p{L}])(?:a |the )?(couple(?: of)?|few|several) (day|week|month)s ago(?![\p{L}])/giu
const VAGUE_DAYS: Readonly<
  Record<string, readonly [couple: number, few: readonly [number, number]]>
> = {
  day: [1, [2, 5]],
  week: [7, [14, 35]],
  month: [30, [60, 150]],
}
const COUPLE_FURTHEST = 3

const compiled = new Map<LatinLanguage, ReadonlyArray<readonly [RegExp, string, number]>>()

/** Calendar words relative to the anchor: units, weekends, "N units ago". */
export function findRelative(
  sentence: string,
  anchor: Date,
  language: LatinLanguage,
): DateCandidate[] {
  const found: DateCandidate[] = []
  for (const [pattern, unit, offset] of patternsOf(language)) {
    for (const match of sentence.matchAll(pattern)) {
      addCandidate(found, match, unit, unitPeriod(anchor, unit, offset))
    }
  }
  for (const match of sentence.matchAll(whole(AGO[language]))) {
    const unit =
      UNIT_STEMS.find(([stem]) => stem.test((match[2] ?? '').toLowerCase()))?.[1] ?? 'day'
    if (language === 'pt' && !/^há|atrás$/iu.test(match[0])) continue
    const number = match[1] === undefined ? 1 : readNumber(match[1], language)
    if (!Number.isNaN(number))
      addCandidate(found, match, unit, relativePeriod(anchor, unit, -number))
  }
  if (language === 'en') findVague(sentence, anchor, found)
  return found
}

function findVague(sentence: string, anchor: Date, found: DateCandidate[]): void {
  for (const match of sentence.matchAll(VAGUE)) {
    const days = VAGUE_DAYS[(match[2] ?? '').toLowerCase()]
    if (days === undefined) continue
    const [near, [fewNear, fewFar]] = days
    const isCouple = (match[1] ?? '').toLowerCase().startsWith('couple')
    const period = isCouple
      ? daysAround(anchor, -COUPLE_FURTHEST * near, -near)
      : daysAround(anchor, -fewFar, -fewNear)
    addCandidate(found, match, 'range', period)
  }
}

function patternsOf(language: LatinLanguage): ReadonlyArray<readonly [RegExp, string, number]> {
  const known = compiled.get(language)
  if (known !== undefined) return known
  const patterns = Object.entries(CALENDAR_WORDS[language]).map(([key, words]) => {
    const [, unit = '', offset = '0'] = /^([a-z]+)(-?\d)$/.exec(key) ?? []
    return [whole(words), unit, Number(offset)] as const
  })
  compiled.set(language, patterns)
  return patterns
}

/** Whole words only, any capitals. */
function whole(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'giu')
}

function unitPeriod(anchor: Date, unit: string, offset: number): Period | null {
  return unit === 'weekend'
    ? weekendPeriod(anchor, offset)
    : relativePeriod(anchor, unit as Unit, offset)
}

function addCandidate(
  found: DateCandidate[],
  match: RegExpExecArray,
  unit: string,
  period: Period | null,
): void {
  if (period === null) return
  const precision = unit === 'weekend' ? PRECISION.week : PRECISION[unit as keyof typeof PRECISION]
  found.push({ index: match.index, length: match[0].length, precision, period })
}
