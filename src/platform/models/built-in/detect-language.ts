import type { Language } from './languages.ts'
import { STOP_WORDS } from './stop-words.ts'

/** Characters looked at: enough to tell, and a bound for long chunks. */
const SAMPLE_CHARS = 2000
const WORD = /[\p{L}\p{M}]+/gu
const VOTING = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl'] as const

/**
 * The language of a text by a light check: its script, and for Latin script which language's function words it has most
 * of. English when nothing tells, so a wrong answer must never lose anything.
 */
export function detectLanguage(text: string): Language {
  const sample = text.slice(0, SAMPLE_CHARS)
  const letters = count(sample, /\p{L}/gu)
  if (letters === 0) return 'en'
  // One Han character says about as much as a whole Latin word, hence the low share.
  if (count(sample, /[\p{sc=Hiragana}\p{sc=Katakana}]/gu) > letters * 0.1) return 'ja'
  if (count(sample, /\p{sc=Han}/gu) > letters * 0.2) return 'zh'
  if (count(sample, /\p{sc=Cyrillic}/gu) > letters * 0.5) return 'ru'
  return voteByWords(sample)
}

function voteByWords(sample: string): Language {
  const votes = new Map<Language, number>(VOTING.map((language) => [language, 0]))
  for (const [word] of sample.toLowerCase().matchAll(WORD)) {
    for (const language of VOTING) {
      if (STOP_WORDS[language].has(word)) votes.set(language, (votes.get(language) ?? 0) + 1)
    }
  }
  let best: Language = 'en'
  for (const [language, number] of votes) {
    if (number > (votes.get(best) ?? 0)) best = language
  }
  return best
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
