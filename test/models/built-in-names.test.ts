import { describe, expect, it } from 'vitest'
import type { Language } from '../../src/platform/models/built-in/languages.ts'
import { findNames } from '../../src/platform/models/built-in/names.ts'

function names(sentence: string, language: Language = 'en', known: string[] = []): string[] {
  return findNames(sentence, { language, known: new Set(known), lowerCaseWords: new Set() })
}

describe('names in a sentence', () => {
  it.each([
    [
      'We met Anna Schmidt and Jean-Luc Picard in Oxford.',
      ['Anna Schmidt', 'Jean-Luc Picard', 'Oxford'],
    ],
    ['She studied at the University of Oxford.', ['University of Oxford']],
    ['Maria is allergic to peanuts.', ['Maria']],
    ['Tom works at Acme Inc. in Berlin.', ['Tom', 'Acme Inc', 'Berlin']],
    ['The CEO of OpenAI, Sam Altman, came.', ['CEO', 'OpenAI', 'Sam Altman']],
    ['Dr. Smith said so.', ['Smith']],
    ["Anna's dog likes Peter's garden.", ['Anna', 'Peter']],
    ['We watched "The Hobbit" with Lea.', ['The Hobbit', 'Lea']],
    ['Ask @kim_lee about INV-2031-K and PR-12.', ['@kim_lee', 'INV-2031-K', 'PR-12']],
    ['See https://www.example.com/a?b=1 or mail bo@acme.org.', ['example.com', 'bo@acme.org']],
  ])('%j has %j', (sentence, expected) => {
    expect(names(sentence).sort()).toEqual([...expected].sort())
  })

  it.each([
    'Yesterday was a long day.',
    'Painting is fun.',
    'Success is almost here.',
    'Thanks for the help on Monday!',
    'I think I should go in March.',
    'She said "hello there" and left.',
    'THIS IS ALL SHOUTING AND NO NAMES AT ALL',
    '### Detailed Schedule',
    'Meet me at 10AM for 5K.',
  ])('%j has none', (sentence) => {
    expect(names(sentence)).toEqual([])
  })

  it('tells the month from the person', () => {
    expect(names('April approved the budget in April.')).toEqual(['April'])
    expect(names('We talked with May about June.')).toEqual(['May'])
    expect(names('We left in May.')).toEqual([])
    expect(names('May I ask something?')).toEqual([])
  })

  it('finds known names wherever they stand', () => {
    expect(names('Melanie?')).toEqual([])
    expect(names('Melanie?', 'en', ['Melanie'])).toEqual(['Melanie'])
  })

  it('does not take German nouns for names', () => {
    expect(names('Der Hund liegt im Garten und die Katze auf dem Sofa.', 'de')).toEqual([])
    expect(names('Gestern war ich mit Anna Schmidt in Berlin.', 'de')).toEqual([
      'Anna Schmidt',
      'Berlin',
    ])
    expect(names('Frau Weber arbeitet bei Siemens.', 'de')).toEqual(['Weber', 'Siemens'])
  })

  it('takes Latin names and titles out of Chinese', () => {
    expect(names('我昨天看了《流浪地球》，他在Google工作。', 'zh')).toEqual(['流浪地球', 'Google'])
  })

  it('gives at most twelve, each once', () => {
    const people = Array.from(
      { length: 30 },
      (_, at) => `Anna B${String.fromCharCode(97 + (at % 26))}o`,
    )
    expect(names(`We met ${people.join(', ')}.`)).toHaveLength(12)
    expect(names('We saw Rome, then ROME, then Rome again.')).toEqual(['Rome'])
  })
})
