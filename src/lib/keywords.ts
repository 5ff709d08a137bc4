import { isStopWord } from './keywords/stop-words.ts'
import { readTerms } from './keywords/terms.ts'

/** Terms kept of one text, repeats included. Memories are short; this bounds the rows a pasted book could write. */
const MAX_TERMS = 4_000
/** Terms of a query that are looked at, repeats included. */
const MAX_QUERY_TERMS = 4_000

/**
 * The terms under which a text is found, in their order and with repeats, so that the caller can count them: stems of
 * words (letter case, width and Latin accents folded), identifiers whole and by their parts (`INV-2031-K`,
 * `fetchUserCart`, addresses, paths), words and pairs of characters in Chinese and Japanese, words in Thai and its
 * like. At most 4,000 terms of at most 64 characters.
 */
export function keywordTerms(text: string): string[] {
  const terms: string[] = []
  for (const { term } of readTerms(text, 'text')) {
    if (terms.length === MAX_TERMS) break
    terms.push(term)
  }
  return terms
}

/**
 * The distinct terms to look for, in order of appearance: those of keywordTerms, without stop words of six languages
 * unless there is nothing else. [] for a query without letters and digits.
 */
export function queryTerms(query: string): string[] {
  let read = 0
  const all = new Set<string>()
  const telling = new Set<string>()
  for (const { term, word } of readTerms(query, 'query')) {
    if (read === MAX_QUERY_TERMS) break
    read += 1
    all.add(term)
    if (!isStopWord(word)) telling.add(term)
  }
  return [...(telling.size > 0 ? telling : all)]
}
