/**
 * M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980: English word forms to a common stem. The
 * rules are the paper's; a stem need not be a word.
 */

type Rules = readonly (readonly [suffix: string, replacement: string])[]

const STEP_2: Rules = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['eli', 'e'],
]

const STEP_3: Rules = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

/** Longest first, as in the other lists; `ion` has a condition of its own. */
const STEP_4: readonly string[] =
  'ement ance ence able ible ment ant ent ion ism ate iti ous ive ize al er ic ou'.split(' ')

/** The stem of a word of small ASCII letters; any other text, and a word of one or two letters, as it is. */
export function stem(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word
  return tidy(removeLongSuffix(replace(replace(yToI(pastAndIng(plural(word))), STEP_2), STEP_3)))
}

/** Step 1a. */
function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** Step 1b. */
function pastAndIng(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = ['ed', 'ing'].find((each) => word.endsWith(each))
  if (suffix === undefined) return word
  const base = word.slice(0, -suffix.length)
  if (!hasVowel(base)) return word
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`
  if (endsDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1)
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base
}

/** Step 1c. */
function yToI(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

/** Steps 2 and 3. Only the longest suffix that is there is tried. */
function replace(word: string, rules: Rules): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (rule === undefined) return word
  const base = word.slice(0, -rule[0].length)
  return measure(base) > 0 ? base + rule[1] : word
}

/** Step 4. */
function removeLongSuffix(word: string): string {
  const suffix = STEP_4.find((each) => word.endsWith(each))
  if (suffix === undefined) return word
  const base = word.slice(0, -suffix.length)
  if (suffix === 'ion' && !/[st]$/.test(base)) return word
  return measure(base) > 1 ? base : word
}

/** Step 5. */
function tidy(word: string): string {
  const base = word.slice(0, -1)
  const size = word.endsWith('e') ? measure(base) : 0
  const short = size > 1 || (size === 1 && !endsShort(base)) ? base : word
  return short.endsWith('ll') && measure(short) > 1 ? short.slice(0, -1) : short
}

/** The paper's m: how often a vowel is followed by a consonant. */
function measure(text: string): number {
  return shape(text).split('vc').length - 1
}

function hasVowel(text: string): boolean {
  return shape(text).includes('v')
}

function endsDouble(text: string): boolean {
  return text.length > 1 && text.at(-1) === text.at(-2) && shape(text).endsWith('c')
}

/** The paper's *o: consonant, vowel, consonant, the last none of w, x, y. */
function endsShort(text: string): boolean {
  return shape(text).endsWith('cvc') && !/[wxy]$/.test(text)
}

/** Each letter as v or c; y is a vowel after a consonant. */
function shape(text: string): string {
  let kinds = ''
  for (const letter of text) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && kinds.endsWith('c'))
    kinds += isVowel ? 'v' : 'c'
  }
  return kinds
}
