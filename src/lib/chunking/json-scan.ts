/**
 * Cuts JSON source that JSON.parse has already accepted. The source of each value is kept instead of being written
 * anew, so that long numbers, repeated keys and escapes stay as they were; only white space between tokens goes.
 */

/** The elements of the array that `source` holds. */
export function arrayItems(source: string): string[] {
  const items: string[] = []
  let depth = 0
  let item = ''
  for (const token of tokens(source)) {
    if (token === ']' || token === '}') depth -= 1
    if (depth === 0) {
      if (token === ']' && item !== '') items.push(item)
    } else if (depth === 1 && token === ',') {
      items.push(item)
      item = ''
    } else {
      item += token
    }
    if (token === '[' || token === '{') depth += 1
  }
  return items
}

/** The same JSON without white space between its tokens. */
export function compactJson(source: string): string {
  let compact = ''
  for (const token of tokens(source)) compact += token
  return compact
}

export interface StringSpan {
  /** Index of the first character after the opening quote. */
  readonly start: number
  /** Index of the closing quote. */
  readonly end: number
}

/** Where the longest string stands that is the value of one of `keys` of the object `compact` (compact source). */
export function longestStringOf(compact: string, keys: readonly string[]): StringSpan | null {
  let best: StringSpan | null = null
  let depth = 0
  let at = 0
  let key: string | null = null
  for (const token of tokens(compact)) {
    if (token === '[' || token === '{') depth += 1
    if (token === ']' || token === '}') depth -= 1
    if (depth === 1 && token.startsWith('"')) {
      const isKey = compact.charAt(at + token.length) === ':'
      const span = { start: at + 1, end: at + token.length - 1 }
      const isBetter = best === null || span.end - span.start > best.end - best.start
      if (!isKey && key !== null && keys.includes(key) && isBetter) best = span
      key = isKey ? String(JSON.parse(token)) : null
    }
    at += token.length
  }
  return best
}

/** Strings, brackets, commas, colons, and everything else (numbers, words) in runs. White space is left out. */
function* tokens(source: string): Generator<string> {
  let at = 0
  while (at < source.length) {
    const char = source.charAt(at)
    const end = char === '"' ? stringEnd(source, at) : at + 1
    if (!' \t\n\r'.includes(char)) yield source.slice(at, end)
    at = end
  }
}

/** Index after the closing quote of the string that opens at `start`. */
function stringEnd(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source.charAt(at) !== '"') at += source.charAt(at) === '\\' ? 2 : 1
  return at + 1
}
