import { truncateCodePoints } from '../text.ts'
import { foldWord } from './fold.ts'
import { stem } from './porter.ts'
import { unspacedTerms } from './unspaced.ts'

export interface Term {
  readonly term: string
  /** The folded word before stemming, for the stop word lists. */
  readonly word: string
}

/** A text is searched by more terms than a query asks for, see unspacedTerms. */
export type TermUse = 'text' | 'query'

const MAX_TERM_CHARS = 64
/** Words of one identifier, and characters of a word that are looked at for its parts. */
const MAX_JOINED_WORDS = 40
const MAX_SPLIT_CHARS = 256

/** Takes no room and would cut a word in two: soft hyphen, zero-width space, joiners, BOM. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
/** 1,200,000 is 1200000. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g

const WORD = String.raw`[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+){0,3}`
const JOINED = String.raw`${WORD}(?:(?:[-‐_.+@]|[:/\\]{1,3})${WORD}){0,${MAX_JOINED_WORDS}}`
/** C++, C#, F#; words; identifiers. The repetition is bounded because an unbounded one can exhaust the regex stack. */
const TOKEN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])[A-Za-z](?:\+\+|#)(?![\p{L}\p{N}])|${JOINED}`,
  'gu',
)

/**
 * Terms in order of appearance, lazily: a caller with a limit pays for what it takes. Only scripts without spaces go to
 * Intl.Segmenter: on Node 20 it takes 0.6 to 2 s for a megabyte in slices, and took 7 minutes for a megabyte at once.
 */
export function* readTerms(text: string, use: TermUse): Generator<Term> {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '').replace(THOUSANDS, '')
  for (const [token] of plain.matchAll(TOKEN)) {
    if (/^[A-Za-z](?:\+\+|#)$/.test(token)) yield exactTerm(token)
    else yield* identifierTerms(token, use)
  }
}

/** Whole, by what / \ : @ separate (the local part of an address, the file of a path), and by words. */
function* identifierTerms(token: string, use: TermUse): Generator<Term> {
  const segments = token.split(/[:/\\@]+/)
  if (segments.length > 1) yield exactTerm(token)
  for (const segment of segments) {
    const words = segment.split(/[-‐_.+]/)
    if (words.length > 1) yield exactTerm(segment)
    for (const word of words) yield* wordTerms(word, use)
  }
}

function* wordTerms(word: string, use: TermUse): Generator<Term> {
  const [head = '', ...rest] = word.split(/['’]/)
  if (rest.length === 0 || (rest.length === 1 && /^(?:s|re|ve|ll|d|m)$/i.test(rest[0] ?? ''))) {
    yield* scriptTerms(head, use)
    return
  }
  // don't, O'Brien, l'amour: as one word, and but for don't the parts of more than a letter by themselves.
  const whole = [head, ...rest]
  yield wordTerm(whole.join(''))
  const parts = /^t$/i.test(rest.join('')) ? [] : whole.filter((part) => part.length > 1)
  for (const part of parts) yield* scriptTerms(part, use)
}

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`
const SOUTH_EAST_ASIAN = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const SCRIPT_RUN = new RegExp(
  `(?<cjk>[${CJK}]+)|(?<asian>[${SOUTH_EAST_ASIAN}]+)|[^${CJK}${SOUTH_EAST_ASIAN}]+`,
  'gu',
)

function* scriptTerms(word: string, use: TermUse): Generator<Term> {
  for (const { 0: run, groups } of word.matchAll(SCRIPT_RUN)) {
    const isCjk = groups?.cjk !== undefined
    if (isCjk || groups?.asian !== undefined) {
      for (const piece of unspacedTerms(run, isCjk, use)) yield exactTerm(piece)
    } else {
      yield* spacedTerms(run)
    }
  }
}

function* spacedTerms(word: string): Generator<Term> {
  yield wordTerm(word)
  // Korean particles stick to the word: pairs of syllables find it with another one, or none.
  const syllables = [...word.slice(0, MAX_SPLIT_CHARS).matchAll(/(?=(\p{Script=Hangul}{2}))/gu)]
  if (word.length > 2) for (const pair of syllables) yield exactTerm(pair[1] ?? '')
  for (const part of partsOf(word)) yield wordTerm(part)
}

/**
 * fetch, User, Cart; HTTP, Server; iPhone, Phone, 15. Nothing for a word of one part; no single characters.
 */
function partsOf(word: string): string[] {
  const start = word.slice(0, MAX_SPLIT_CHARS)
  const humps =
    start.match(
      /\p{Lu}{2,}(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu,
    ) ?? []
  const runs = start.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []
  const parts = [...(humps.length > 1 ? humps : []), ...(runs.length > 1 ? runs : [])]
  return [...new Set(parts)].filter((part) => part.length > 1)
}

function wordTerm(text: string): Term {
  const word = truncateCodePoints(foldWord(text), MAX_TERM_CHARS)
  return { term: stem(word), word }
}

function exactTerm(text: string): Term {
  const term = truncateCodePoints(foldWord(text), MAX_TERM_CHARS)
  return { term, word: term }
}
