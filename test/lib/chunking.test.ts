import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkText } from '../../src/lib/chunking.ts'
import { codePointLength } from '../../src/lib/text.ts'

const texts = (text: string, max: number) => chunkText(text, max).map((chunk) => chunk.text)
const squeezed = (text: string) => text.replace(/\s/g, '')

const word = fc.stringMatching(/^[a-zé]{1,12}$/)
const separator = fc.constantFrom(' ', '. ', '! ', '? ', '; ', ', ', '\n', '\n\n', '。', '\r\n')
const prose = fc
  .array(fc.tuple(fc.oneof(word, fc.constantFrom('😀', '👨‍👩‍👧', '東京', 'e\u0301')), separator), {
    maxLength: 80,
  })
  .map((parts) => parts.flat().join(''))
const turnObject = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.oneof(prose, fc.string({ unit: 'binary' })),
  at: fc.integer(),
})
const transcript = fc
  .array(fc.tuple(fc.constantFrom('Priya', 'Tomas', '[10:32] Ana'), prose), {
    minLength: 2,
    maxLength: 8,
  })
  .map((turns) => turns.map(([name, said]) => `${name}: ${said}`).join('\n'))
const document = fc.oneof(
  prose,
  transcript,
  fc.array(turnObject, { minLength: 1, maxLength: 6 }).map((turns) => JSON.stringify(turns)),
  fc
    .array(turnObject, { minLength: 1, maxLength: 6 })
    .map((turns) => JSON.stringify(turns, null, 2)),
  fc
    .array(turnObject, { minLength: 2, maxLength: 6 })
    .map((turns) => turns.map((turn) => JSON.stringify(turn)).join('\n')),
  fc.string({ unit: 'binary' }),
)
const limit = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 300 }))

describe('chunkText on any text', () => {
  it('makes chunks that fit and that are their own only chunk', () => {
    fc.assert(
      fc.property(document, limit, (text, max) => {
        for (const chunk of chunkText(text, max)) {
          expect(codePointLength(chunk.text)).toBeLessThanOrEqual(max)
          expect(texts(chunk.text, max)).toEqual([chunk.text])
        }
      }),
      { numRuns: 400 },
    )
  })

  it('returns a text that fits byte for byte', () => {
    fc.assert(
      fc.property(document, (text) => {
        expect(chunkText(text, Math.max(1, codePointLength(text)))).toEqual([
          { text, speaker: null },
        ])
      }),
    )
  })

  it('loses nothing but white space of prose and transcripts, and no half characters come out', () => {
    fc.assert(
      fc.property(fc.oneof(prose, transcript), limit, (text, max) => {
        const chunks = texts(text, max)
        expect(squeezed(chunks.join(''))).toBe(squeezed(text))
        for (const chunk of chunks) expect(chunk).not.toMatch(/\p{Cs}/u)
      }),
      { numRuns: 400 },
    )
  })

  it('keeps every turn of a JSON array, whole or as pieces of its text', () => {
    fc.assert(
      fc.property(
        fc.array(turnObject, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 140, max: 400 }),
        (turns, max) => {
          const source = JSON.stringify(turns)
          fc.pre(codePointLength(source) > max)
          const back = texts(source, max).flatMap((chunk) => JSON.parse(chunk) as typeof turns)
          expect(back.every((turn) => ['user', 'assistant'].includes(turn.role))).toBe(true)
          const said = (list: typeof turns) => squeezed(list.map((turn) => turn.content).join(''))
          expect(said(back)).toBe(said(turns))
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses the size %s', (size) => {
    expect(() => chunkText('text', size)).toThrow(RangeError)
  })
})

describe('prose', () => {
  it('cuts at the coarsest boundary that fits', () => {
    expect(texts('First one. Second one.\n\nThird one.', 24)).toEqual([
      'First one. Second one.',
      'Third one.',
    ])
    expect(texts('One here. Two here. Three', 12)).toEqual(['One here.', 'Two here.', 'Three'])
    expect(texts('aaa bbb ccc', 7)).toEqual(['aaa bbb', 'ccc'])
    expect(texts('abcdefg', 3)).toEqual(['abc', 'def', 'g'])
  })

  it('knows the sentence ends of Chinese and Japanese', () => {
    expect(texts('我们去了公园。天气很好！你呢？', 9)).toEqual([
      '我们去了公园。',
      '天气很好！你呢？',
    ])
  })

  it('cuts neither an emoji nor a letter from its accent while there is room', () => {
    expect(texts('😀😀😀', 2)).toEqual(['😀😀', '😀'])
    expect(texts('abx\u0301y', 3)).toEqual(['ab', 'x\u0301y'])
    expect(texts('ab👨‍👩‍👧c', 6)).toEqual(['ab', '👨‍👩‍👧c'])
  })

  it('gives nothing for white space that does not fit, and one chunk for what fits', () => {
    expect(chunkText(' '.repeat(20), 5)).toEqual([])
    expect(texts('', 5)).toEqual([''])
    expect(texts('   ', 5)).toEqual(['   '])
  })

  it.each([
    ['one line of words', 'word '.repeat(200_000)],
    ['one word', 'x'.repeat(1_000_000)],
    ['blank lines', '\n \n'.repeat(300_000)],
    ['open brackets', '['.repeat(1_000_000)],
    ['backslashes in JSON', JSON.stringify({ content: '\\'.repeat(500_000) })],
    ['line breaks in JSON', JSON.stringify([{ content: '\n'.repeat(500_000) }])],
    ['colons', 'A:'.repeat(500_000)],
  ])('takes a megabyte of %s in reasonable time', (_, text) => {
    const start = performance.now()
    const chunks = chunkText(text, 3000)
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(chunks.every((chunk) => chunk.text.length <= 3000)).toBe(true)
  })
})

describe('JSON', () => {
  it('packs whole turns into arrays', () => {
    const turns = [1, 2, 3, 4].map((n) => ({ role: 'user', content: `number ${n}` }))
    const one = codePointLength(JSON.stringify(turns[0]))
    const chunks = texts(JSON.stringify(turns), 2 * one + 3)
    expect(chunks).toEqual([JSON.stringify(turns.slice(0, 2)), JSON.stringify(turns.slice(2))])
    expect(texts(JSON.stringify(turns), 2 * one + 2)).toHaveLength(4)
  })

  it('keeps the source of values: long numbers and escapes', () => {
    const source =
      '[ {"id": 12345678901234567890, "text": "\\u00e9 a"} ,\n {"id": 1.0, "text": "[{,}] \\" b"} ]'
    expect(texts(source, 50)).toEqual([
      '[{"id":12345678901234567890,"text":"\\u00e9 a"}]',
      '[{"id":1.0,"text":"[{,}] \\" b"}]',
    ])
  })

  it('cuts one giant turn as text and keeps the others whole', () => {
    const long = 'I moved to Oslo. '.repeat(30).trim()
    const turns = [
      { name: 'Tomas', content: 'Hi.' },
      { name: 'Priya', at: '2024-05-01', content: long },
      { name: 'Tomas', content: 'Nice!' },
    ]
    const chunks = chunkText(JSON.stringify(turns), 200)
    expect(chunks[0]).toEqual({ text: JSON.stringify([turns[0]]), speaker: null })
    expect(chunks.at(-1)).toEqual({ text: JSON.stringify([turns[2]]), speaker: null })
    const middle = chunks.slice(1, -1)
    expect(middle.length).toBeGreaterThan(2)
    expect(middle.map((chunk) => chunk.speaker)).toEqual([
      null,
      ...middle.slice(1).map(() => 'Priya'),
    ])
    const pieces = middle.flatMap((chunk) => JSON.parse(chunk.text) as typeof turns)
    expect(pieces.every((piece) => piece.name === 'Priya' && piece.at === '2024-05-01')).toBe(true)
    expect(pieces.map((piece) => piece.content).join(' ')).toBe(long)
  })

  it('does not cut an escape', () => {
    const content = '\u0001"\\\n'.repeat(60)
    const chunks = texts(JSON.stringify([{ role: 'user', content }]), 80)
    const back = chunks.flatMap((chunk) => JSON.parse(chunk) as { content: string }[])
    expect(back.map((turn) => turn.content).join('')).toBe(content)
  })

  it('packs JSON lines by lines', () => {
    const lines = ['{"a": 1}', '{"a": 2}', '{"a": 3}']
    expect(texts(lines.join('\n\n'), 18)).toEqual(['{"a": 1}\n{"a": 2}', '{"a": 3}'])
  })

  it('cuts a single object only above the limit', () => {
    const object = JSON.stringify({ title: 'T', list: ['alpha', 'beta', 'gamma'] })
    expect(texts(object, object.length)).toEqual([object])
    expect(texts(object, 20).join('')).toBe(object)
  })

  it('treats arrays of anything else as text', () => {
    expect(texts('[1, 2, 3, 4, 5]', 7)).toEqual(['[1, 2,', '3, 4,', '5]'])
  })
})

describe('transcripts', () => {
  it('packs whole turns', () => {
    const text = 'Priya: hello there\nTomas: hi\n\nPriya: how are you'
    expect(chunkText(text, 30)).toEqual([
      { text: 'Priya: hello there\nTomas: hi', speaker: null },
      { text: 'Priya: how are you', speaker: null },
    ])
  })

  it('names the speaker of every piece that continues a long turn', () => {
    const said = 'I changed my job last week and I like it. '.repeat(6)
    const chunks = chunkText(`Priya: ${said}\nTomas: I did not.`, 100)
    expect(chunks.length).toBeGreaterThan(3)
    expect(chunks[0]?.speaker).toBeNull()
    expect(chunks[0]?.text.startsWith('Priya: I changed')).toBe(true)
    expect(new Set(chunks.slice(1, -1).map((chunk) => chunk.speaker))).toEqual(new Set(['Priya']))
    expect(chunks.at(-1)).toEqual({ text: 'Tomas: I did not.', speaker: null })
  })

  it('keeps what stands before the first turn', () => {
    const chunks = texts('Call of 3 May\n\nPriya: hello\nTomas: hi', 20)
    expect(chunks).toEqual(['Call of 3 May', 'Priya: hello', 'Tomas: hi'])
  })
})
