import { foldCase } from '../text.ts'

/** Latin letters that Unicode does not take apart into a letter and a mark. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŋ: 'n',
}
const UNDECOMPOSED_LETTERS = new RegExp(`[${Object.keys(UNDECOMPOSED).join('')}]`, 'g')

/**
 * A word as it is compared: case folded, Latin letters without their accents, U+2010 as a hyphen. Marks of other
 * scripts stay: there they are vowels or tell words apart.
 */
export function foldWord(word: string): string {
  const folded = foldCase(word)
  if (/^[\u0020-\u007e]*$/.test(folded)) return folded
  return folded
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(UNDECOMPOSED_LETTERS, (letter) => UNDECOMPOSED[letter] ?? letter)
    .replaceAll('‐', '-')
}
