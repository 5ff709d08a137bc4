import { countTokens as countPiece, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base'

/** The library throws on `<|endoftext|>` and its like unless no special token is disallowed; then they are plain text. */
const AS_PLAIN_TEXT = { disallowedSpecial: new Set<string>() }

/**
 * Merging inside one run of letters, of symbols or of white space takes time that grows with the square of its length
 * (8,000 letters of Chinese: 218 ms). Longer runs are counted in parts of this many characters, which may add a token
 * a part; no other text is affected.
 */
const MAX_RUN = 256
const MAY_HOLD_LONG_RUN = new RegExp(String.raw`\S{${MAX_RUN}}|\s{${MAX_RUN}}`, 'u')
const LONG_RUN = new RegExp(
  String.raw`\p{L}{${MAX_RUN}}|[^\s\p{L}\p{N}]{${MAX_RUN}}|\s{${MAX_RUN}}`,
  'gu',
)

/** No token of the vocabulary is longer: a text above this many characters a token cannot fit. */
const MAX_CHARS_PER_TOKEN = 128
/** Where the search for the cut starts: more characters than most texts have in a token. */
const CHARS_PER_TOKEN = 5

/**
 * The library remembers merged pieces of text, 100,000 by default. Each piece is a slice that keeps the whole text it
 * comes from in memory, so that a server would hold on to many large documents. The memory is left off: on 130 kB of
 * English Markdown counting takes about twice as long without it, still under 20 ms.
 */
setMergeCacheSize(0)

/** Tokens in the cl100k_base vocabulary. Takes any text: special tokens count as the characters they are written in. */
export function countTokens(text: string): number {
  let count = 0
  for (const part of parts(text)) count += countPiece(part, AS_PLAIN_TEXT)
  return count
}

/**
 * The text when it has at most `max` tokens, else a beginning of it that has; '' for a max of 0 or less. The beginning
 * may be a token shorter than possible, since half a word can have more tokens than the whole. Never cuts a surrogate
 * pair.
 */
export function truncateTokens(text: string, max: number): string {
  if (max <= 0) return ''
  if (text.length <= max * MAX_CHARS_PER_TOKEN && countTokens(text) <= max) return text
  // Grow first, so that a long text costs by what is kept and not by its length.
  let fits = 0
  let tooLong = wholeCharacters(text, Math.ceil(max) * CHARS_PER_TOKEN)
  while (countTokens(text.slice(0, tooLong)) <= max) {
    if (tooLong === text.length) return text
    fits = tooLong
    tooLong = wholeCharacters(text, tooLong * 2)
  }
  while (true) {
    const middle = wholeCharacters(text, Math.floor((fits + tooLong) / 2))
    if (middle <= fits) return text.slice(0, fits)
    if (countTokens(text.slice(0, middle)) <= max) fits = middle
    else tooLong = middle
  }
}

function* parts(text: string): Generator<string> {
  if (text.length < MAX_RUN || !MAY_HOLD_LONG_RUN.test(text)) {
    yield text
    return
  }
  let from = 0
  for (const match of text.matchAll(LONG_RUN)) {
    const end = match.index + match[0].length
    yield text.slice(from, end)
    from = end
  }
  if (from < text.length) yield text.slice(from)
}

/** `end`, or one less where it would fall between the halves of a surrogate pair; at most the length of the text. */
function wholeCharacters(text: string, end: number): number {
  if (end >= text.length) return text.length
  const point = end > 0 ? text.codePointAt(end - 1) : undefined
  return point !== undefined && point > 0xffff ? end - 1 : end
}
