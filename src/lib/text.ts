import { createHash } from 'node:crypto'

/** ASCII control characters but tab, LF and CR, and DEL; \p{Cs} under the u flag is a surrogate without its partner. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed here
const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]/gu

/** Takes no room on screen and changes no meaning at any place of a name: soft hyphen, zero-width space, word joiner, BOM. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g

const BLANK = /^[\s\p{Cc}\p{Cs}\u00ad\u200b-\u200f\u2060\ufeff]*$/u

/**
 * The text as it may be stored: without NUL and other ASCII control characters (tab, LF and CR stay), without lone
 * surrogates, in Unicode form NFC. Everything else stays byte for byte, joined emoji included. Every text from a
 * caller or a model goes through this before it is hashed, compared or stored.
 */
export function cleanText(text: string): string {
  // One pass: removing controls first could bring two lone halves together into a character nobody wrote.
  return text.replace(UNSTORABLE, '').normalize('NFC')
}

/** Whether there is nothing to see in it: only white space, control characters and zero-width characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text)
}

/** Length in Unicode code points. */
export function codePointLength(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) {
      count -= 1
      at += 1
    }
  }
  return count
}

/** The first `limit` code points; '' for a limit of 0 or less. Never cuts a surrogate pair. */
export function truncateCodePoints(text: string, limit: number): string {
  return text.slice(0, indexAfter(text, 0, limit))
}

/** Index (UTF-16) of the place `count` code points after index `from`, at most the end of the text. */
export function indexAfter(text: string, from: number, count: number): number {
  let at = from
  for (let passed = 0; passed < count && at < text.length; passed += 1) {
    at += isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1
  }
  return at
}

/** SHA-256 of the UTF-8 form, as 64 lower-case hex digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** A name as shown: cleaned, each run of white space one space, trimmed; '' when nothing is left. */
export function cleanName(name: string): string {
  return cleanText(name).replace(/\s+/g, ' ').trim()
}

/**
 * The key under which two spellings of a name are one name: cleaned, NFKC (so that full-width letters, ligatures and
 * no-break spaces are plain ones), case folded, zero-width characters gone, white space collapsed. It is stored and
 * compared as it is: the database must never lower-case on its own, because it folds some letters differently.
 */
export function nameKey(name: string): string {
  return cleanName(foldCase(cleanText(name).replace(INVISIBLE, '')))
}

/**
 * The only case folding of the project: NFKC and no difference between capitals and small letters, as in Unicode's
 * full case folding ('ß' = 'SS', 'ς' = 'Σ'), and also none between the dotted and dotless i, so that 'İstanbul',
 * 'Istanbul', 'istanbul' and 'ıstanbul' are one. Folding a folded text changes nothing.
 */
export function foldCase(text: string): string {
  // Through upper case, because only that takes 'ß' apart; lower case before it, because 'ẞ' is upper case already.
  // What stays of 'İ' is an i and a combining dot.
  const lower = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase()
  return lower
    .normalize('NFKC')
    .replace(/i\u0307+/g, 'i')
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
