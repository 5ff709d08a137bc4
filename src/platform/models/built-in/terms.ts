import { detectLanguage } from './detect-language.ts'
import type { Language } from './languages.ts'
import { STOP_WORDS } from './stop-words.ts'

/** Characters read of one text; longer ones are judged by their beginning. */
const MAX_CHARS = 8000
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u
/** Question words of what is asked for, not about: no use in finding it. */
const ASKING = new Set('tell know remember remembered happened happen did does'.split(' '))

/**
 * The content words of a text for comparing texts: lower case, stop words left out, English and German endings cut.
 * Han and kana, which have no gaps, give their pairs of neighbouring characters.
 */
export function contentTerms(text: string, language: Language = detectLanguage(text)): Set<string> {
  const terms = new Set<string>()
  for (const [word] of text.slice(0, MAX_CHARS).toLowerCase().normalize('NFKC').matchAll(WORD)) {
    if (CJK.test(word)) addPairs(word, terms)
    else if (!STOP_WORDS[language].has(word) && !ASKING.has(word)) terms.add(stem(word))
  }
  return terms
}

function addPairs(run: string, terms: Set<string>): void {
  const characters = [...run].filter((character) => !STOP_WORDS.zh.has(character))
  if (characters.length === 1) terms.add(characters[0] ?? '')
  for (let at = 1; at < characters.length; at++) {
    terms.add(`${characters[at - 1]}${characters[at]}`)
  }
}

/** A light cut that makes painting, painted, paints and paint one; both sides of a comparison get the same. */
function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const cut = word.replace(/(?:ings?|ies|ied|ed|es|en|er|s|e|y)$/u, '')
  return cut.length < 3 ? word : cut.replace(/(\p{L})\1$/u, '$1')
}
