import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/cl100k_base'
import { describe, expect, it } from 'vitest'
import { countTokens, truncateTokens } from '../../src/lib/tokens.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom('a', 'the ', ' ', '\n', '😀', '漢', '<|endoftext|>', '\ud83d', '1', "'s"),
  }),
)

describe('countTokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['tiktoken is great!', 6],
  ])('%j has %i', (text, count) => {
    expect(countTokens(text)).toBe(count)
  })

  it.each(['<|endoftext|>', 'a <|im_start|>user<|im_end|> b', '<|fim_prefix|>', '<|endofprompt|>'])(
    'counts %s as plain text',
    (text) => {
      expect(countTokens(text)).toBeGreaterThan(4)
    },
  )

  it('takes half an emoji', () => {
    expect(countTokens('\ud83d')).toBeGreaterThan(0)
  })

  it('agrees with the plain encoding where no run is long', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countTokens(text)).toBe(encode(text, { disallowedSpecial: new Set() }).length)
      }),
    )
  })

  it.each([
    ['one letter', 'x'.repeat(200_000)],
    ['Chinese', '漢字仮名交文'.repeat(20_000)],
    ['symbols', '!?#'.repeat(60_000)],
    ['spaces', ' '.repeat(200_000)],
    ['emoji', '😀'.repeat(50_000)],
    ['special tokens', '<|endoftext|>'.repeat(20_000)],
    ['runs just below the limit', `${'q'.repeat(255)} `.repeat(1_000)],
  ])('counts a long run of %s in reasonable time', (_, text) => {
    const start = performance.now()
    expect(countTokens(text)).toBeGreaterThan(700)
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  it('is off by under one percent on a long run', () => {
    const text = '今天天气很好我们去公园'.repeat(100)
    const exact = encode(text).length
    expect(Math.abs(countTokens(text) - exact)).toBeLessThan(exact / 100)
  })
})

describe('truncateTokens', () => {
  it('keeps a text that fits and cuts one that does not', () => {
    expect(truncateTokens('hello world', 2)).toBe('hello world')
    expect(truncateTokens('hello world', 1)).toBe('hello')
    expect(truncateTokens('hello world', 0)).toBe('')
    expect(truncateTokens('hello world', -3)).toBe('')
    expect(truncateTokens('😀😀', 1)).toBe('')
  })

  it('gives a beginning that fits and is not needlessly short', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const cut = truncateTokens(text, max)
        expect(text.startsWith(cut)).toBe(true)
        expect(countTokens(cut)).toBeLessThanOrEqual(max)
        const half = /[\ud800-\udbff]$/.test(cut) && /^[\udc00-\udfff]/.test(text.slice(cut.length))
        expect(half).toBe(false)
        expect(cut === text).toBe(countTokens(text) <= max)
      }),
      { numRuns: 300 },
    )
  })

  it('uses the room on real prose', () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(2_000)
    expect(countTokens(truncateTokens(text, 500))).toBe(500)
    expect(countTokens(truncateTokens(text, 7))).toBe(7)
  })

  it('cuts a text of spaces, of which one token holds many', () => {
    const cut = truncateTokens(' '.repeat(100_000), 20)
    expect(cut.length).toBeGreaterThan(1_000)
    expect(countTokens(cut)).toBeLessThanOrEqual(20)
  })
})
