import type { Language } from './languages.ts'
import {
  isCapitalisedNonName,
  isCommonOpening,
  isMonthName,
  isRoleWord,
  isShortDateWord,
  PERSON_VERB,
} from './name-words.ts'
import { STOP_WORDS } from './stop-words.ts'

/** Entities a fact; more are noise in the graph. */
const MAX_NAMES = 12
const MAX_NAME_CHARS = 80
const MAX_TITLE_WORDS = 10

const URL = /\bhttps?:\/\/([^\s/?#:"'<>)\]]+)[^\s"'<>]*/giu
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu
const HANDLE = /(?<![\w.@/])@[\p{L}\p{N}_]{2,30}/gu
/** INV-2031-K, PR-12, GPT4: capitals and digits in one token, a letter first or a hyphen inside. */
const IDENTIFIER =
  /(?<![\p{L}\p{N}_-])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])(?:[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*|[A-Z0-9]+(?:-[A-Z0-9]+)+)(?![\p{L}\p{N}_-])/gu
const QUOTED = /[“„"«]([^“”„"«»]{2,80})[”“"»]|[《『「]([^《》『』「」]{1,40})[》』」]/gu
/** A capitalised word, CamelCase and inner apostrophes or hyphens included (O'Neill, Jean-Luc, iPhone). */
const CAPITALISED = /^(?:\p{Lu}[\p{L}\p{M}\p{N}]*|[a-z]\p{Lu}\p{L}+)(?:['’]\p{Lu}\p{L}+|-\p{L}+)*$/u
const CONNECTOR = /^(?:of|de|del|della|di|da|do|dos|la|le|van|von|der|den|zu|du|al|bin|ibn|&)$/u
const TOKEN = /[\p{L}\p{M}\p{N}&]+(?:['’-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}&]+/gu
const POSSESSIVE = /['’]s$/iu
const HONORIFIC =
  /^(?:Mr|Mrs|Ms|Dr|Prof|Sir|Herr|Herrn|Frau|Señor|Señora|Madame|Monsieur|Signor|Signora)$/u
/** Before a single capitalised German word, which otherwise is any noun. */
const GERMAN_PLACE_CUE = /^(?:in|nach|aus|bei)$/u
const GERMAN_NOUN =
  /(?:ung|heit|keit|schaft|tion|tät|ismus|nis)$|^(?:Hause|Ruhe|Ordnung|Zukunft|Urlaub|Arbeit|Rente|Zeit|Bezug|Kraft|Frage|Form)$/u

/** Stands for words in lower case, so that Latin names between them are found. */
const CJK_RUN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+/gu
/** Bullets, numbers and Markdown headings. */
const LINE_MARK = /^\s*(?:[-*•+>#]+|\d{1,3}[.)])\s/u

export interface NameContext {
  readonly language: Language
  /** Names known beforehand, such as the speakers: found wherever they stand. */
  readonly known: ReadonlySet<string>
  /** Words that stand in lower case somewhere in the chunk: no names at the start of a sentence. */
  readonly lowerCaseWords: ReadonlySet<string>
}

/**
 * The names in one sentence: people, places and works by their capitals, quoted titles, @handles, identifiers, hosts of
 * URLs. At most 12, in the order found, without repeats. Scripts without capitals give only what is marked otherwise.
 */
export function findNames(sentence: string, context: NameContext): string[] {
  const found: string[] = []
  const text = takeMarked(sentence, found).replace(CJK_RUN, ' x ')
  if (!isShouted(text) && !isHeading(text, context.language))
    found.push(...findCapitalised(text, context))
  return uniqueNames(found)
}

/** Trims, bounds and removes repeats regardless of case; keeps the first 12. */
export function uniqueNames(names: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const name of names) {
    const clean = name.replace(/\s+/g, ' ').trim()
    if (clean === '' || clean.length > MAX_NAME_CHARS) continue
    const key = clean.toLowerCase()
    if (!byKey.has(key)) byKey.set(key, clean)
  }
  return [...byKey.values()].slice(0, MAX_NAMES)
}

/** Moves what is marked as a name by its form out of the text, so that its parts are not found again. */
function takeMarked(sentence: string, found: string[]): string {
  return sentence
    .replace(URL, (_, host: string) => take(found, host.toLowerCase().replace(/^www\./, '')))
    .replace(EMAIL, (email) => take(found, email))
    .replace(HANDLE, (handle) => take(found, handle))
    .replace(IDENTIFIER, (id) => (id.length > 2 ? take(found, id) : id))
    .replace(QUOTED, (all, latin?: string, cjk?: string) => {
      const title = (latin ?? cjk ?? '').trim()
      return isTitle(title, latin === undefined) ? take(found, title) : all
    })
}

function take(found: string[], name: string): string {
  found.push(name)
  return ' , '
}

function isTitle(quoted: string, isCjkQuote: boolean): boolean {
  if (isCjkQuote) return !/[。！？!?]$/u.test(quoted)
  const words = quoted.split(/\s+/)
  return (
    /^[\p{Lu}\p{N}]/u.test(quoted) && !/[.!?,]$/u.test(quoted) && words.length <= MAX_TITLE_WORDS
  )
}

function isShouted(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  const capitals = letters.filter((letter) => /\p{Lu}/u.test(letter)).length
  return letters.length > 12 && capitals > letters.length * 0.7
}

/** Title Case Over More Than Four Words, or in the whole of a marked line: capitals say nothing there. */
function isHeading(text: string, language: Language): boolean {
  if (/[.!?…]\W*$/u.test(text)) return false
  const isMarked = LINE_MARK.test(text) && !text.includes(':')
  const words = (text.match(/[\p{L}\p{M}]{3,}/gu) ?? []).filter(
    (word) => !STOP_WORDS[language].has(word),
  )
  return (isMarked || words.length > 4) && words.every((word) => /^\p{Lu}/u.test(word))
}

function findCapitalised(text: string, context: NameContext): string[] {
  const tokens = text.match(TOKEN) ?? []
  const names: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const end = endOfRun(tokens, at)
    if (end > at) names.push(...namesOfRun(tokens, at, end, context))
    at = Math.max(end, at + 1)
  }
  return names
}

/** Index after the capitalised words that begin at `at`, connectors between them included; `at` when there are none. */
function endOfRun(tokens: readonly string[], at: number): number {
  let end = at
  while (isCapitalised(tokens[end])) {
    end++
    // A possessive ends a name: "Anna's Berlin trip" has two.
    if (POSSESSIVE.test(tokens[end - 1] ?? '')) return end
    // "CEO of OpenAI" is a post and a name, "Bank of America" one name.
    if (/^\p{Lu}{2,4}$/u.test(tokens[end - 1] ?? '') && tokens[end] === 'of') return end
    let next = end
    while (next < end + 2 && CONNECTOR.test(tokens[next] ?? '')) next++
    if (next > end && isCapitalised(tokens[next])) end = next
    else if (tokens[end] === '.' && HONORIFIC.test(tokens[end - 1] ?? '')) end++
  }
  return end
}

function isCapitalised(token: string | undefined): boolean {
  if (token === undefined) return false
  const bare = token.replace(POSSESSIVE, '')
  return CAPITALISED.test(bare) && !isCapitalisedNonName(bare)
}

function namesOfRun(
  tokens: readonly string[],
  from: number,
  to: number,
  context: NameContext,
): string[] {
  let start = from
  if (isSentenceStart(tokens, from) && !opensWithName(tokens, from, to, context)) start++
  while (start < to && (HONORIFIC.test(tokens[start] ?? '') || tokens[start] === '.')) start++
  while (start < to && CONNECTOR.test(tokens[start] ?? '')) start++
  const run = tokens.slice(start, to).filter((token) => token !== '.')
  const last = run.length - 1
  const parts = run.map((token, at) => (at === last ? token.replace(POSSESSIVE, '') : token))
  const name = parts.join(' ')
  if (name === '' || parts.every(isShortDateWord) || isRoleWord(tokens[start - 1] ?? '')) return []
  return isName(parts, tokens, start, to, context) ? [name] : []
}

function isName(
  parts: readonly string[],
  tokens: readonly string[],
  start: number,
  to: number,
  context: NameContext,
): boolean {
  const [first = ''] = parts
  if (parts.length > 1) return true
  if (context.known.has(first)) return true
  if (isMonthName(first)) return isPersonHere(tokens, start, to)
  if (STOP_WORDS[context.language].has(first.toLowerCase())) return first === 'US'
  if (first.length < 2 || isCommonOpening(first.toLowerCase())) return false
  return context.language !== 'de' || isGermanName(tokens, start, to)
}

/** In German every noun has a capital: an acronym, a title before or a place's preposition must speak for a name. */
function isGermanName(tokens: readonly string[], start: number, to: number): boolean {
  const word = tokens[start] ?? ''
  const before = tokens[start - 1] ?? ''
  if (/^\p{Lu}{2,}$/u.test(word) || /^\p{Lu}\p{Ll}+\p{Lu}/u.test(word)) return true
  if (HONORIFIC.test(before) || (before === '.' && HONORIFIC.test(tokens[start - 2] ?? '')))
    return true
  if (PERSON_VERB.test(tokens[to] ?? '') && isSentenceStart(tokens, start)) return true
  return GERMAN_PLACE_CUE.test(before) && !GERMAN_NOUN.test(word)
}

function isSentenceStart(tokens: readonly string[], at: number): boolean {
  let before = at - 1
  while (before >= 0 && !/[\p{L}\p{N}.!?:]/u.test(tokens[before] ?? '')) before--
  const mark = tokens[before] ?? ''
  // "Owner: Priya, since May" labels a value, "The plan: Visit the museum" begins a sentence.
  if (mark.startsWith(':')) return /^\p{Ll}/u.test(tokens[at + 1] ?? '')
  return before < 0 || /^[.!?]/u.test(mark)
}

/** Whether the first word of a sentence is (part of) a name and not just capitalised for its place. */
function opensWithName(
  tokens: readonly string[],
  at: number,
  to: number,
  context: NameContext,
): boolean {
  const token = tokens[at] ?? ''
  const word = token.replace(POSSESSIVE, '')
  const lower = word.toLowerCase()
  if (context.known.has(word)) return true
  if (isMonthName(word)) return isPersonHere(tokens, at, at + 1)
  if (STOP_WORDS[context.language].has(lower) || isCommonOpening(lower)) return false
  if (context.lowerCaseWords.has(lower)) return false
  if (/^\p{Lu}{2,}$/u.test(word) || /^\p{Ll}?\p{Lu}\p{Ll}+\p{Lu}/u.test(word)) return true
  if (HONORIFIC.test(word)) return true
  if (context.language === 'de' && to - at > 1) return !GERMAN_NOUN.test(word)
  return to - at > 1 || POSSESSIVE.test(token) || PERSON_VERB.test(tokens[at + 1] ?? '')
}

/** May, April, June, August: a person only where a person's verb follows or a person's preposition stands before. */
function isPersonHere(tokens: readonly string[], start: number, to: number): boolean {
  const before = tokens[start - 1] ?? ''
  const after = tokens[to] ?? ''
  if (/^\d/.test(after) || /^(?:\d|in$|since$|until$|last$|next$|this$|early$|late$)/.test(before))
    return false
  if (POSSESSIVE.test(tokens[to - 1] ?? '')) return true
  return (
    PERSON_VERB.test(after) ||
    /^(?:with|told|met|asked|and|called|named|friend|sister|daughter|aunt)$/.test(before)
  )
}
