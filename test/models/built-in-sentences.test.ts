import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSmallTalk } from '../../src/platform/models/built-in/salience.ts'
import { splitSentences } from '../../src/platform/models/built-in/sentences.ts'

const split = (text: string) => splitSentences(text).map((sentence) => sentence.text)

describe('splitting sentences', () => {
  it.each([
    ['Dr. Smith came. He left.', ['Dr. Smith came.', 'He left.']],
    ['Version 3.5 is out. It works.', ['Version 3.5 is out.', 'It works.']],
    ['Am 3. Mai 2023 kam er. Dann ging er.', ['Am 3. Mai 2023 kam er.', 'Dann ging er.']],
    [
      'J. R. Smith wrote it. So did I. Then we left.',
      ['J. R. Smith wrote it.', 'So did I.', 'Then we left.'],
    ],
    ['We need plan B. Then we go.', ['We need plan B.', 'Then we go.']],
    ['He lives in St. Louis. See No. 5 there.', ['He lives in St. Louis.', 'See No. 5 there.']],
    ['He said no. Then he left.', ['He said no.', 'Then he left.']],
    ['See https://example.com/a?b=1. Good.', ['See https://example.com/a?b=1.', 'Good.']],
    ['我去了上海。他没去！', ['我去了上海。', '他没去！']],
    ['One\n\n- two\n- three', ['One', '- two', '- three']],
    ['', []],
  ])('%j', (text, expected) => {
    expect(split(text)).toEqual(expected)
  })

  it('joins hard-wrapped lines and keeps list lines apart', () => {
    const mail =
      'As discussed, the migration of the billing database will\nstart on Monday and takes a day.\n- Owner: Priya'
    expect(split(mail)).toEqual([
      'As discussed, the migration of the billing database will start on Monday and takes a day.',
      '- Owner: Priya',
    ])
  })

  it('loses nothing but blanks, and no piece is long, whatever the text', () => {
    const bare = (text: string) => text.replace(/\s+/g, '')
    fc.assert(
      fc.property(fc.string({ maxLength: 3000, unit: 'grapheme' }), (text) => {
        expect(bare(split(text).join(''))).toBe(bare(text))
      }),
    )
    const long = 'word '.repeat(700)
    expect(bare(split(long).join(''))).toBe(bare(long))
    expect(Math.max(...split(long).map((piece) => piece.length))).toBeLessThanOrEqual(600)
    expect(Math.max(...split('😀'.repeat(900)).map((piece) => piece.length))).toBeLessThanOrEqual(
      600,
    )
    expect(split('😀'.repeat(900)).join('')).toBe('😀'.repeat(900))
  })
})

describe('small talk', () => {
  it.each([
    ['en', 'Hey Mel!'],
    ['en', 'Good to see you!'],
    ['en', 'How have you been?'],
    ['en', 'Thanks, Caroline!'],
    ['en', "What's up with you?"],
    ['en', 'Wow, Caroline!'],
    ['en', 'Sounds great, talk to you later!'],
    ['en', 'Have a great day!'],
    ['en', '👍'],
    ['de', 'Vielen Dank!'],
    ['de', 'Guten Morgen!'],
    ['es', '¡Hola! ¿Qué tal?'],
    ['fr', 'Bonjour, ça va ?'],
    ['ru', 'Спасибо!'],
    ['zh', '你好，谢谢！'],
    ['ja', 'ありがとうございます'],
  ] as const)('%s: %j', (language, sentence) => {
    expect(isSmallTalk(sentence, language)).toBe(true)
  })

  it.each([
    ['en', "Hi, I'm Caroline"],
    ['en', 'It costs 42.'],
    ['en', 'I quit!'],
    ['en', 'Anna is great'],
    ['en', '$'],
    ['en', 'We are at war'],
    ['en', 'Rome is cool'],
    ['de', 'Ich wohne in Köln'],
    ['zh', '我在谷歌工作'],
    ['ja', '私は犬が好きです'],
  ] as const)('%s: not %j', (language, sentence) => {
    expect(isSmallTalk(sentence, language)).toBe(false)
  })
})
