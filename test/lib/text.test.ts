import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cleanName,
  cleanText,
  codePointLength,
  foldCase,
  isBlank,
  nameKey,
  sha256,
  truncateCodePoints,
} from '../../src/lib/text.ts'

const FAMILY = '👨‍👩‍👧‍👦'
/** Any sequence of UTF-16 units, lone surrogates and control characters included. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
})
const validText = fc.string({ unit: 'binary' })

describe('cleanText', () => {
  it('drops NUL, controls and DEL, and keeps tab, LF and CR', () => {
    expect(cleanText('a\u0000b\u0007c\u001fd\u007fe\tf\ng\rh')).toBe('abcde\tf\ng\rh')
  })

  it('drops lone surrogates only', () => {
    expect(cleanText('x\ud83dy')).toBe('xy')
    expect(cleanText('\ude00x\ud83d')).toBe('x')
    expect(cleanText('\ud83d\ud83d\ude00')).toBe('😀')
  })

  it('does not make a character out of two halves that a control character kept apart', () => {
    expect(cleanText('a\ud83d\u0000\ude00b')).toBe('ab')
  })

  it('keeps a joined family emoji byte for byte', () => {
    expect(Buffer.from(cleanText(`hi ${FAMILY}!`))).toEqual(Buffer.from(`hi ${FAMILY}!`))
  })

  it('composes', () => {
    expect(cleanText('Zoe\u0308')).toBe('Zo\u00eb')
  })

  it('gives storable text, and cleaning twice changes nothing', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = cleanText(text)
        expect(cleanText(clean)).toBe(clean)
        expect(clean).toBe(Buffer.from(clean, 'utf8').toString('utf8'))
        expect([...clean].every((char) => char >= ' ' || '\t\n\r'.includes(char))).toBe(true)
      }),
    )
  })
})

describe('isBlank', () => {
  it.each(['', ' \n\t', '\u00a0\u3000', '\u0000', '\u200b\ufeff', '\ud83d'])(
    '%j is blank',
    (text) => {
      expect(isBlank(text)).toBe(true)
    },
  )

  it.each(['.', ' a ', '👍', '。'])('%j is not', (text) => {
    expect(isBlank(text)).toBe(false)
  })
})

describe('code points', () => {
  it('counts and cuts by code points', () => {
    expect(codePointLength('a😀b')).toBe(3)
    expect(truncateCodePoints('a😀b', 2)).toBe('a😀')
    expect(truncateCodePoints('a😀b', 1)).toBe('a')
    expect(truncateCodePoints('a😀b', 9)).toBe('a😀b')
    expect(truncateCodePoints('a😀b', 0)).toBe('')
    expect(truncateCodePoints('a😀b', -1)).toBe('')
  })

  it('agrees with code point iteration for any text', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, limit) => {
        expect(codePointLength(text)).toBe([...text].length)
        expect(truncateCodePoints(text, limit)).toBe([...text].slice(0, limit).join(''))
      }),
    )
  })
})

describe('names', () => {
  it('cleans without losing capitals', () => {
    expect(cleanName('  Ada \n\t Lovelace\u0000 ')).toBe('Ada Lovelace')
    expect(cleanName(' \u3000 ')).toBe('')
  })

  it.each([
    ['İstanbul', 'istanbul'],
    ['ISTANBUL', 'istanbul'],
    ['Zoe\u0308', 'Zo\u00eb'],
    ['STRASSE', 'Straße'],
    ['STRAẞE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ａｃｍｅ　Ｉｎｃ', 'acme inc'],
    ['ﬁrst\u00a0 team', 'First Team'],
    ['Zero\u200bWidth', 'zerowidth'],
  ])('%s and %s are one name', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
  })

  it('keeps different names apart', () => {
    expect(nameKey('Zoe')).not.toBe(nameKey('Zoë'))
    expect(nameKey('Ann Lee')).not.toBe(nameKey('Annlee'))
  })

  it('has a key that is its own key and that letter case cannot move', () => {
    fc.assert(
      fc.property(validText, (name) => {
        const key = nameKey(name)
        expect(nameKey(key)).toBe(key)
        expect(nameKey(cleanName(name))).toBe(key)
      }),
      { numRuns: 500 },
    )
  })

  it('folds every single character to a fixed point, the same from its capital and small form', () => {
    const failing: string[] = []
    for (let point = 0; point <= 0x2ffff; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const char = String.fromCodePoint(point)
      const folded = foldCase(char)
      const same = [folded, char.toUpperCase(), char.toLowerCase()].every(
        (form) => foldCase(form) === folded,
      )
      if (!same) failing.push(point.toString(16))
    }
    expect(failing).toEqual([])
  })
})

describe('sha256', () => {
  it('hashes the UTF-8 form', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sha256('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c')
  })
})
