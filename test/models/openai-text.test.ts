import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJson } from '../../src/lib/json-lenient.ts'
import { createThinkFilter, stripThinking } from '../../src/lib/think-tags.ts'

function values(text: string): readonly unknown[] {
  return findJson(text).map((found) => found.value)
}

describe('findJson', () => {
  test.each<[string, readonly unknown[]]>([
    ['', []],
    ['42', []],
    ['"text"', []],
    [' {"a":1} ', [{ a: 1 }]],
    ['```json\n{"a":1}\n```', [{ a: 1 }]],
    ['```\n[1]\n```', [[1]]],
    ['So {"a":{"b":[1]}} and [2].', [{ a: { b: [1] } }, [2]]],
    ['a brace } in {"a":"}]\\"{"} prose', [{ a: '}]"{' }]],
    ['{not json} {"a":1}', [{ a: 1 }]],
    ['{see {"a":1}', [{ a: 1 }]],
    ['{"a":[1,2,],}', [{ a: [1, 2] }]],
    ['{"a":"x,]","b":"line\nbreak\ttab",}', [{ a: 'x,]', b: 'line\nbreak\ttab' }]],
    ['{"a": "cut', []],
    ['<think>{"a":1}</think>{"b":2}', [{ b: 2 }]],
  ])('%j', (text, expected) => {
    expect(values(text)).toEqual(expected)
  })

  test('tells a whole text from a piece of one', () => {
    expect(findJson('```json\n[]\n```').map((found) => found.whole)).toEqual([true])
    expect(findJson('Nothing: []').map((found) => found.whole)).toEqual([false])
  })

  test('finds any object again, bare, fenced and in prose', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value)
        const expected = JSON.parse(text)
        expect(values(text)).toEqual([expected])
        expect(values(`\`\`\`json\n${text}\n\`\`\``)).toEqual([expected])
        if (!/<\/?(think|reasoning)/i.test(text)) {
          expect(values(`Here it is: ${text} as you asked.`)).toEqual([expected])
        }
      }),
    )
  })

  test('never throws, and brackets alone cost little', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(findJson(text))))
    const start = performance.now()
    expect(values('['.repeat(200_000))).toEqual([])
    expect(values('{"'.repeat(200_000))).toEqual([])
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('stripThinking', () => {
  test.each([
    ['plain', 'plain'],
    ['<think>a</think>b', 'b'],
    ['  <THINK>a</Think>\n\nb', 'b'],
    ['<thinking>a</thinking><reasoning>b</reasoning>c', 'c'],
    ['a <think>b</think> c', 'a  c'],
    ['thoughts</think>\nanswer', 'answer'],
    ['<think>cut off', ''],
    ['it writes <think> tags', 'it writes <think> tags'],
    ['it writes <think> tags, and many of them', 'it writes <think> tags, and many of them'],
    ['the `<think>` tag ends with `</think>`', 'the `<think>` tag ends with `</think>`'],
    ['```xml\n<think>a</think>\n```', '```xml\n<think>a</think>\n```'],
    ['<think>```</think>b', 'b'],
    ['a < b, a <t, <thin', 'a < b, a <t, <thin'],
  ])('%j gives %j', (text, expected) => {
    expect(stripThinking(text)).toBe(expected)
  })

  test('a stream gives the same wherever it is cut, and nothing early', () => {
    const word = fc.constantFrom('<think>', '</think>', '<reasoning>', '</reasoning>', '`', '```')
    const piece = fc.oneof(word, fc.constantFrom('<', 'a', ' ', '\n', '<th', 'ink>', 'İ', '/'))
    const pieces = fc.array(piece, { maxLength: 25 })
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('')
        const whole = createThinkFilter()
        const cut = createThinkFilter()
        const single = createThinkFilter()
        const expected = whole.push(text) + whole.end()
        expect(parts.map((part) => cut.push(part)).join('') + cut.end()).toBe(expected)
        const chars = [...text].map((char) => single.push(char))
        expect(chars.join('') + single.end()).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('text without marks passes at once', () => {
    const filter = createThinkFilter()
    expect(filter.push('Hello <')).toBe('Hello ')
    expect(filter.push('b> you')).toBe('<b> you')
    expect(filter.push('')).toBe('')
    expect(filter.end()).toBe('')
  })

  test('a long thought in small pieces costs little', () => {
    const filter = createThinkFilter()
    const start = performance.now()
    filter.push('<think>')
    for (let i = 0; i < 20_000; i++) filter.push('some more thoughts ')
    expect(filter.push('</think>done')).toBe('done')
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
