import type { Language } from './languages.ts'

/** Number words from one to twelve; digits are read as such. */
const NUMBER_WORDS: Readonly<Partial<Record<Language, string>>> = {
  en: 'one|a|an two three four five six seven eight nine ten eleven twelve',
  de: 'einem|einer|ein|eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  es: 'un|una|uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
  fr: 'un|une deux trois quatre cinq six sept huit neuf dix onze douze',
  it: 'un|una|uno due tre quattro cinque sei sette otto nove dieci undici dodici',
  pt: 'um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze',
  nl: 'een|één twee drie vier vijf zes zeven acht negen tien elf twaalf',
  ru: 'один|одну|одна два|две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
  zh: '一 二|两|兩 三 四 五 六 七 八 九 十 十一 十二',
  ja: '一 二 三 四 五 六 七 八 九 十 十一 十二',
}

const NUMBERS = new Map<Language, ReadonlyMap<string, number>>()
for (const [language, text] of Object.entries(NUMBER_WORDS)) {
  const forms = text
    .split(' ')
    .flatMap((word, at) => word.split('|').map((form) => [form, at + 1] as const))
  NUMBERS.set(language as Language, new Map(forms))
}

/** NaN when it is no number from one to twelve in words, nor digits. */
export function readNumber(text: string, language: Language): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  return NUMBERS.get(language)?.get(text.toLowerCase()) ?? Number.NaN
}

/** Month names, inflected as they stand before a year and in a date, lower case -> 1 to 12. */
const MONTHS = new Map<Language, ReadonlyMap<string, number>>()

/** From Intl, so that no table of names can be wrong. Russian in the genitive and, by its own rule, prepositional. */
export function monthNames(language: Language): ReadonlyMap<string, number> {
  const known = MONTHS.get(language)
  if (known !== undefined) return known
  const names = new Map<string, number>()
  const options = { month: 'long', timeZone: 'UTC' } as const
  const alone = new Intl.DateTimeFormat(language, options)
  const inDate = new Intl.DateTimeFormat(language, { ...options, day: 'numeric' })
  for (let month = 1; month <= 12; month++) {
    const date = new Date(Date.UTC(2023, month - 1, 1))
    const genitive = inDate.formatToParts(date).find((part) => part.type === 'month')?.value ?? ''
    for (const name of [alone.format(date), genitive]) names.set(name.toLowerCase(), month)
    if (language === 'ru') names.set(genitive.toLowerCase().replace(/[яа]$/, 'е'), month)
  }
  MONTHS.set(language, names)
  return names
}

const FUTURE =
  /\b(?:will|['’]ll|going to|gonna|won['’]t|plan(?:s|ning)? (?:to|on|for)|hop(?:e|ing) to|expect|due|scheduled|upcoming|looking forward|can['’]t wait|deadline|appointment|starts|begins|opens|leaves|arrives|remind|let['’]s|next|see you|tomorrow|werde|wirst|wird|werden|vais|va|vont|allons|voy a|va a|vamos a|vou|vai)\b/iu
const PAST =
  /\b(?:\p{L}{2,}ed|was|were|did|went|had|got|saw|met|made|came|took|bought|said|told|ran|won|lost|found|left|gave|began|felt|heard|held|kept|knew|sent|spent|thought|wrote|taught|caught|ate|drove|flew|grew|broke|became|since|war|waren|hatte|hatten|wurde)\b/iu

/** -1 past, 1 future, 0 nothing tells: a light look at the verbs, to place a weekday or a month without a year. */
export function tenseOf(sentence: string): -1 | 0 | 1 {
  if (FUTURE.test(sentence)) return 1
  return PAST.test(sentence) ? -1 : 0
}

/** The year of a month or day that stands without one: the nearest to the anchor on the side that the tense tells. */
export function yearByTense(month: number, day: number, anchor: Date, tense: -1 | 0 | 1): number {
  const year = anchor.getUTCFullYear()
  const distance = (candidate: number) => Date.UTC(candidate, month - 1, day) - anchor.getTime()
  const years = [year - 1, year, year + 1]
  const allowed = years.filter((y) => tense === 0 || Math.sign(distance(y)) === tense)
  const sameUnit = month === anchor.getUTCMonth() + 1 ? [year] : []
  const [nearest = year] = [...allowed, ...(day === 1 ? sameUnit : [])].sort(
    (a, b) => Math.abs(distance(a)) - Math.abs(distance(b)),
  )
  return nearest
}
