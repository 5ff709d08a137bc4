import type { TermUse } from './terms.ts'

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' })
/** Characters given to the segmenter at once: its time grows with the square of the length. */
const SLICE_CHARS = 512
/** A run of one script longer than this is cut: 4,000 terms are all that is kept of a text. */
const MAX_RUN_CHARS = 20_000

/**
 * Terms of a run of a script that is written without spaces.
 *
 * South-east Asian scripts: the words that the dictionary of Intl.Segmenter finds. Chinese and Japanese: the words of
 * three characters and more, and every pair of neighbours, because the same word is segmented differently in another
 * sentence and then only the pairs meet. A text gives also each single Han character, so that a query of one character
 * hits; a query asks for single characters only when the run is one, since they are in nearly every text.
 */
export function* unspacedTerms(run: string, isCjk: boolean, use: TermUse): Generator<string> {
  if (!isCjk) {
    yield* segments(run)
    return
  }
  const chars = [...run.slice(0, MAX_RUN_CHARS)]
  for (const [at, char] of chars.entries()) {
    const next = chars[at + 1]
    if (chars.length === 1 || (use === 'text' && /\p{Script=Han}/u.test(char))) yield char
    if (next !== undefined) yield char + next
  }
  for (const word of segments(run)) if ([...word].length > 2) yield word
}

function* segments(run: string): Generator<string> {
  const bounded = run.slice(0, MAX_RUN_CHARS)
  for (let from = 0; from < bounded.length; ) {
    // Not between the halves of a rare Han character outside the basic plane.
    const cut = from + SLICE_CHARS
    const end = (bounded.codePointAt(cut - 1) ?? 0) > 0xffff ? cut - 1 : cut
    for (const { segment, isWordLike } of SEGMENTER.segment(bounded.slice(from, end))) {
      if (isWordLike) yield segment
    }
    from = end
  }
}
