import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keywordTerms, queryTerms } from '../../src/lib/keywords.ts'
import { codePointLength } from '../../src/lib/text.ts'

/** Whether every term of the query is a term of the text, so that nothing asked for is missing. */
const hits = (query: string, text: string): boolean => {
  const terms = new Set(keywordTerms(text))
  const asked = queryTerms(query)
  return asked.length > 0 && asked.every((term) => terms.has(term))
}
/** Whether at least one is: what the keyword arm needs. */
const touches = (query: string, text: string): boolean => {
  const terms = new Set(keywordTerms(text))
  return queryTerms(query).some((term) => terms.has(term))
}

describe('words', () => {
  it('repeats terms, in order, stop words included', () => {
    expect(keywordTerms('The cat and the cats.')).toEqual(['the', 'cat', 'and', 'the', 'cat'])
  })

  it.each([
    ['moving cities', 'Priya moved to another city'],
    ['ZOE', 'Zoë called'],
    ['Zoe\u0308', 'Zo\u00eb called'],
    ['lodz', 'Łódź'],
    ['smorrebrod', 'Smørrebrød'],
    ['strasse', 'Lange Straße 5'],
    ['istanbul', 'İSTANBUL'],
    ['ＡＣＭＥ', 'acme'],
    ['Μάρτιος', 'ΜΆΡΤΙΟΣ'],
    ['1200000', 'It cost 1,200,000 dollars'],
    ["priya's", 'Priya came'],
    ["don't", 'I don’t know'],
    ['amour', "l'amour"],
    ["O'Brien", 'Mr O’Brien'],
    ['obrien', "O'Brien"],
    ['C++', 'I write c++ daily'],
    ['cooperate', 'co\u00adoper\u200bate'],
  ])('%s finds %s', (query, text) => {
    expect(hits(query, text)).toBe(true)
  })

  it.each([
    ['C#', 'C++'],
    ['cat', 'concatenate'],
    ['university hall', 'Priya moved'],
  ])('%s does not find %s', (query, text) => {
    expect(touches(query, text)).toBe(false)
  })

  it.each(['', '  ', '?! …', '😀👨‍👩‍👧', '\u0000\ud83d'])('finds no terms in %j', (text) => {
    expect(keywordTerms(text)).toEqual([])
    expect(queryTerms(text)).toEqual([])
  })
})

describe('identifiers', () => {
  const TEXT =
    'INV-2031-K was made by fetchUserCart and snake_case_name on 10.4.0.17, tell ana.lopez+x@mail-host.example ' +
    'or see /usr/lib/node.ts, C:\\work\\Plan.md, https://example.org/a/b?x=1, HTTPServer and iPhone15'

  it.each([
    'INV-2031-K',
    'inv-2031-k',
    '2031',
    'fetchUserCart',
    'fetchusercart',
    'cart',
    'carts',
    'snake_case_name',
    'snake',
    '10.4.0.17',
    'ana.lopez+x@mail-host.example',
    'ana.lopez+x',
    'lopez',
    'mail-host.example',
    '/usr/lib/node.ts',
    'node.ts',
    'node',
    'plan.md',
    'C:\\work\\Plan.md',
    'https://example.org/a/b',
    'example.org',
    'http server',
    'iphone',
    'iPhone15',
    'phone 15',
  ])('finds %s', (query) => {
    expect(hits(query, TEXT)).toBe(true)
  })

  it('keeps whole identifiers apart', () => {
    const whole = (text: string) => keywordTerms(text)[0]
    expect(whole('INV-2031-K')).toBe('inv-2031-k')
    expect(whole('10.4.0.17')).not.toBe(whole('10.4.0.18'))
    expect(keywordTerms('INV-2032-K')).not.toContain('inv-2031-k')
  })

  it('takes no full stop or bracket for a part', () => {
    expect(keywordTerms('(see a.ts).')).toEqual(['see', 'a.ts', 'a', 'ts'])
  })
})

describe('scripts without spaces, and Korean', () => {
  it.each([
    ['苹果', '我昨天在北京大学吃了苹果'],
    ['北京', '我昨天在北京大学吃了苹果'],
    ['果', '我昨天在北京大学吃了苹果'],
    ['北京大学', '他在北京大学工作'],
    ['京都', '東京都に行きました'],
    ['カラオケ', '昨日カラオケに行った'],
    ['ｶﾗｵｹ', '昨日カラオケに行った'],
    ['ภาษา', 'ภาษาไทยดีมาก'],
    ['한국', '한국어를 배웁니다'],
    ['iPhone', '我用iPhone15拍照'],
    ['拍照', '我用iPhone15拍照'],
    ['𠮷野家', '昨日は𠮷野家へ'],
  ])('%s finds %s', (query, text) => {
    expect(hits(query, text)).toBe(true)
  })

  it('does not ask for single characters of a longer word', () => {
    expect(queryTerms('苹果')).toEqual(['苹果'])
    expect(touches('苹果', '平果苹')).toBe(false)
  })

  it('finds a word that is segmented differently in another sentence', () => {
    expect(touches('大学生', '北京大学生活')).toBe(true)
  })
})

describe('queryTerms', () => {
  it('drops stop words of six languages', () => {
    expect(queryTerms('What is the name of the cat?')).toEqual(['name', 'cat'])
    expect(queryTerms('¿Dónde está el gato?')).toEqual(['gato'])
    expect(queryTerms('Où est le chat ?')).toEqual(['chat'])
    expect(queryTerms('Wo ist der Hund?')).toEqual(['hund'])
    expect(queryTerms('Dove sono le chiavi?')).toEqual(['dove', 'chiavi'])
    expect(queryTerms('Quando é a reunião?')).toEqual(['reuniao'])
  })

  it('keeps them when there is nothing else', () => {
    expect(queryTerms('The Who')).toEqual(['the', 'who'])
  })

  it('names each term once', () => {
    expect(queryTerms('cat cats CAT dog')).toEqual(['cat', 'dog'])
  })
})

describe('any text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(
      'fetchUserCart',
      'INV-2031-K',
      'a.b@c.de',
      "don't",
      '北京大学',
      'ภาษาไทย',
      '한국어',
      ' ',
      '/',
      'İ',
      'ß',
    ),
  )
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))

  it('is found by itself, composed or not', () => {
    fc.assert(
      fc.property(text, (source) => {
        const terms = new Set(keywordTerms(source))
        for (const term of queryTerms(source)) expect(terms).toContain(term)
        expect(keywordTerms(source.normalize('NFD'))).toEqual(keywordTerms(source.normalize('NFC')))
      }),
      { numRuns: 500 },
    )
  })

  it('has terms of 1 to 64 characters without white space', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (source) => {
        for (const term of keywordTerms(source)) {
          expect(term).toMatch(/^\S+$/u)
          expect(codePointLength(term)).toBeLessThanOrEqual(64)
        }
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['words', 'the quick brown fox '.repeat(50_000), 4000],
    ['one word', 'x'.repeat(1_000_000), 1],
    ['Chinese', '漢字仮名交文'.repeat(150_000), 4000],
    ['Thai', 'ภาษาไทย'.repeat(150_000), 4000],
    ['joined words', 'a.b.'.repeat(250_000), 4000],
    ['apostrophes', "a'".repeat(500_000), 4000],
    ['commas', '1,'.repeat(500_000), 4000],
  ])('of a megabyte of %s keeps a bounded number, in bounded time', (_, source, count) => {
    const start = performance.now()
    expect(keywordTerms(source)).toHaveLength(count)
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
