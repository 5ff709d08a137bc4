import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBuiltInReasoner } from '../../src/platform/models/built-in/reasoner.ts'
import type { ExtractionInput, RawFact } from '../../src/platform/models/ports.ts'

const reasoner = createBuiltInReasoner()
const ANCHOR = new Date('2026-03-11T10:00:00Z')

async function extract(
  text: string,
  more: Partial<ExtractionInput> = {},
): Promise<readonly RawFact[]> {
  const input: ExtractionInput = {
    text,
    speaker: null,
    anchor: ANCHOR,
    context: null,
    mode: 'CONCISE',
    ...more,
  }
  const { value, usage } = await reasoner.extractFacts({
    prompt: { system: '', user: '' },
    input,
    signal: new AbortController().signal,
  })
  expect(usage).toEqual({ inputTokens: 0, outputTokens: 0 })
  return value
}

const texts = (facts: readonly RawFact[]) => facts.map((fact) => fact.text)

const CHAT = JSON.stringify([
  { speaker: 'Caroline', text: 'Hey Mel! Good to see you! How have you been?' },
  {
    speaker: 'Melanie',
    text: "Hey Caroline! I'm swamped with the kids & work. What's up with you?",
  },
  { speaker: 'Caroline', text: 'I went to a support group yesterday and it was so powerful.' },
  { speaker: 'Melanie', text: 'Wow, Caroline! Thanks!' },
])

const MAIL = `Hi team,

Thanks for the call. As discussed, the migration of the billing database to PostgreSQL 17 will
start on 20 March 2026 and Priya Natarajan owns it.
- Vendor: Hetzner, invoice INV-2031-K

Best regards,
John`

describe('concise extraction', () => {
  it('keeps what a transcript says, with its speaker, and skips the small talk', async () => {
    const facts = await extract(CHAT)
    expect(texts(facts)).toEqual([
      "Melanie: I'm swamped with the kids & work.",
      'Caroline: I went to a support group yesterday and it was so powerful.',
    ])
    expect(facts[1]?.occurredStart?.toISOString()).toBe('2026-03-10T00:00:00.000Z')
    expect(facts[1]?.occurredEnd?.toISOString()).toBe('2026-03-10T23:59:59.999Z')
    expect(facts[1]?.entities).toEqual(['Caroline'])
    expect(facts.every((fact) => fact.factType === 'WORLD')).toBe(true)
  })

  it('reads `Name: text` transcripts', async () => {
    const facts = await extract(
      'Anna: I moved to Lisbon last year.\nBen: Great!\nAnna: My cat is called Mio.',
    )
    expect(texts(facts)).toEqual([
      'Anna: I moved to Lisbon last year.',
      'Anna: My cat is called Mio.',
    ])
    expect(facts[0]?.occurredStart?.toISOString()).toBe('2025-01-01T00:00:00.000Z')
    expect(facts[0]?.entities).toEqual(['Anna', 'Lisbon'])
  })

  it('reads a mail', async () => {
    const facts = await extract(MAIL)
    const migration = facts.find((fact) => fact.text.includes('migration'))
    expect(migration?.text).toContain(
      'the migration of the billing database to PostgreSQL 17 will start on 20 March 2026',
    )
    expect(migration?.occurredStart?.toISOString()).toBe('2026-03-20T00:00:00.000Z')
    const entities = facts.flatMap((fact) => fact.entities)
    for (const name of ['Priya Natarajan', 'Hetzner', 'INV-2031-K'])
      expect(entities).toContain(name)
    expect(texts(facts).join('\n')).not.toMatch(/regards|Hi team/)
  })

  it('reads German', async () => {
    const facts = await extract(
      'Guten Morgen! Gestern war ich mit Anna Schmidt in Berlin. Vielen Dank! Am 3. Mai 2025 hat Dr. Müller die Praxis übernommen.',
    )
    expect(texts(facts)).toEqual([
      'Gestern war ich mit Anna Schmidt in Berlin.',
      'Am 3. Mai 2025 hat Dr. Müller die Praxis übernommen.',
    ])
    expect(facts[0]?.entities).toEqual(['Anna Schmidt', 'Berlin'])
    expect(facts[1]?.entities).toEqual(['Müller'])
    expect(facts[1]?.occurredStart?.toISOString()).toBe('2025-05-03T00:00:00.000Z')
  })

  it('reads Chinese', async () => {
    const facts = await extract('你好！我昨天和王伟去了上海。他在Google工作。谢谢！', {
      speaker: '小红',
    })
    expect(texts(facts)).toEqual(['小红: 我昨天和王伟去了上海。他在Google工作。'])
    expect(facts[0]?.entities).toEqual(['小红', 'Google'])
    expect(facts[0]?.occurredStart?.toISOString()).toBe('2026-03-10T00:00:00.000Z')
  })

  it.each(['Thanks!', 'Hey Mel! Good to see you!', '👍', '   ', '谢谢！', '...'])(
    'stores nothing for %j',
    async (text) => {
      expect(await extract(text)).toEqual([])
    },
  )

  it('gives what the assistant says as its own experience', async () => {
    const facts = await extract(
      'User: Please book the hotel in Lisbon.\nAssistant: I booked the hotel Mar Azul for 3 June 2026.',
    )
    expect(facts.map((fact) => fact.factType)).toEqual(['WORLD', 'EXPERIENCE'])
    expect(facts[0]?.entities).toEqual(['Lisbon'])
    expect(facts[1]?.entities).toEqual(['Mar Azul'])
  })

  it('packs sentences up to 280 characters and keeps two dates apart', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `Item number ${at} lies on the shelf.`).join(
      ' ',
    )
    const packed = await extract(many)
    expect(packed.length).toBeGreaterThan(1)
    expect(packed.length).toBeLessThan(6)
    expect(Math.max(...texts(packed).map((text) => text.length))).toBeLessThanOrEqual(280)
    const dated = await extract('Yesterday we painted the door. Last month we sold the car.')
    expect(dated.map((fact) => fact.occurredStart?.toISOString().slice(0, 10))).toEqual([
      '2026-03-10',
      '2026-02-01',
    ])
  })

  it('invents no date without an anchor', async () => {
    const facts = await extract('In three years we move the workshop. Yesterday the pump failed.', {
      anchor: null,
    })
    expect(facts).toHaveLength(1)
    expect(facts[0]?.occurredStart).toBeNull()
    expect(facts[0]?.occurredEnd).toBeNull()
  })

  it('names the speaker of a turn that the chunk begins inside of', async () => {
    const facts = await extract('and then the bridge was closed.', { speaker: 'Olga' })
    expect(texts(facts)).toEqual(['Olga: and then the bridge was closed.'])
  })

  it('custom extraction is concise extraction', async () => {
    expect(await extract(CHAT, { mode: 'CUSTOM' })).toEqual(await extract(CHAT))
  })

  it('is deterministic', async () => {
    expect(await extract(MAIL)).toEqual(await extract(MAIL))
  })
})

describe('the other modes', () => {
  it('verbose: every sentence is a fact', async () => {
    const facts = await extract('Hey Mel! I moved. Thanks!', { mode: 'VERBOSE' })
    expect(texts(facts)).toEqual(['Hey Mel!', 'I moved.', 'Thanks!'])
  })

  it.each([CHAT, MAIL, 'Thanks!', 'x'.repeat(3000)])(
    'verbatim: one fact, the chunk itself',
    async (text) => {
      const facts = await extract(text, { mode: 'VERBATIM' })
      expect(texts(facts)).toEqual([text])
    },
  )

  it('verbatim: with the names and the date found in it', async () => {
    const [chat] = await extract(CHAT, { mode: 'VERBATIM' })
    expect(chat?.entities).toEqual(['Caroline', 'Melanie', 'Mel'])
    expect(chat?.occurredStart?.toISOString()).toBe('2026-03-10T00:00:00.000Z')
  })

  it('chunks: one fact without entities or dates', async () => {
    const facts = await extract(MAIL, { mode: 'CHUNKS' })
    expect(facts).toEqual([
      {
        text: MAIL,
        factType: 'WORLD',
        occurredStart: null,
        occurredEnd: null,
        entities: [],
        causedBy: [],
      },
    ])
  })
})

describe('evidence survives', () => {
  it('every sentence with a number or an uncommon word is in some fact', async () => {
    const word = fc.constantFrom(
      'the',
      'hey',
      'thanks',
      'you',
      'good',
      'zebra',
      'Oslo',
      '42',
      'INV-7',
      'nephew',
      'is',
      'and',
    )
    const sentence = fc
      .array(word, { minLength: 1, maxLength: 9 })
      .map((words) => `${words.join(' ')}.`)
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 8 }), async (sentences) => {
        const turns = JSON.stringify([{ speaker: 'Ann', text: sentences.join(' ') }])
        const all = texts(await extract(turns)).join('\n')
        for (const one of sentences) {
          if (/zebra|42|INV-7|nephew/.test(one)) expect(all).toContain(one)
        }
      }),
    )
  })

  it('never throws, whatever the text', async () => {
    const modes = ['CONCISE', 'VERBOSE', 'CUSTOM', 'VERBATIM', 'CHUNKS'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constantFrom(...modes),
        async (text, mode) => {
          for (const fact of await extract(text, { mode })) {
            expect(fact.text.trim()).not.toBe('')
            expect(fact.entities.length).toBeLessThanOrEqual(12)
            expect(fact.occurredStart === null).toBe(fact.occurredEnd === null)
          }
        },
      ),
    )
  })

  it('is quick on hostile text', async () => {
    const started = performance.now()
    for (const piece of [
      'A',
      'a.',
      '"',
      '1/',
      'in ',
      'May ',
      '@',
      'http://',
      'A-',
      '年',
      'last ',
      '\n- ',
      '1 ',
      "A'",
      'x@x.',
      '。',
    ]) {
      await extract(piece.repeat(3000 / piece.length))
    }
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

it('the source of these modules reads no clock', () => {
  const folder = new URL('../../src/platform/models/built-in/', import.meta.url)
  for (const file of [
    'extraction.ts',
    'dates.ts',
    'date-chrono.ts',
    'calendar.ts',
    'answers.ts',
    'agent-step.ts',
  ]) {
    expect(readFileSync(new URL(file, folder), 'utf8')).not.toMatch(
      /Date\.now|new Date\(\)|Math\.random/,
    )
  }
})
