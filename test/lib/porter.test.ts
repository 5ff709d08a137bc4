import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem } from '../../src/lib/keywords/porter.ts'

/** The paper's own examples, through all steps, and words with known stems. */
const STEMS = `
caresses caress|ponies poni|ties ti|caress caress|cats cat
feed feed|agreed agre|plastered plaster|bled bled|motoring motor|sing sing
conflated conflat|troubled troubl|sized size|hopping hop|tanned tan|falling fall|hissing hiss|fizzed fizz|failing fail|filing file
happy happi|sky sky
relational relat|conditional condit|rational ration|digitizer digit|radically radic|differently differ|analogously analog
vietnamization vietnam|predication predic|operator oper|feudalism feudal|decisiveness decis|hopefulness hope|callousness callous
formality formal|sensitivity sensit|sensibility sensibl
triplicate triplic|formative form|formalize formal|electricity electr|electrical electr|hopeful hope|goodness good
revival reviv|allowance allow|inference infer|airliner airlin|adjustable adjust|defensible defens|irritant irrit|replacement replac
adjustment adjust|dependent depend|adoption adopt|communism commun|activate activ|homologous homolog|effective effect|bowdlerize bowdler
probate probat|rate rate|cease ceas|controller control|roll roll
generalizations gener|oscillators oscil|running run|cities citi|city citi|moved move|moving move`

describe('stem', () => {
  it.each(
    STEMS.trim()
      .split(/[|\n]/)
      .map((pair) => pair.split(' ')),
  )('%s is %s', (word, expected) => {
    expect(stem(word ?? '')).toBe(expected)
  })

  it.each(['', 'a', 'is', 'Ponies', 'größen', 'inv-2031-k', '東京', '2031s'])(
    'leaves %j as it is',
    (word) => {
      expect(stem(word)).toBe(word)
    },
  )

  it('gives a stem that is not empty and not longer than the word and one letter', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        const result = stem(word)
        expect(result).toMatch(/^[a-z]+$/)
        expect(result.length).toBeLessThanOrEqual(word.length)
      }),
      { numRuns: 1_000 },
    )
  })
})
