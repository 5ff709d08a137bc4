import { describe, expect, it } from 'vitest'
import { parseTurns } from '../../src/lib/chunking.ts'

const SAID = [
  { speaker: 'Priya', text: 'hello' },
  { speaker: 'Tomas', text: 'hi there' },
]

describe('parseTurns', () => {
  it.each([
    ['plain', 'Priya: hello\nTomas: hi there'],
    ['blank lines and Windows line ends', 'Priya: hello\r\n\r\nTomas: hi there\r\n'],
    ['bracketed times', '[10:32] Priya: hello\n[10:33:05] Tomas: hi there'],
    ['times in round brackets', '(10:32 AM) Priya: hello\n(10:33 AM) Tomas: hi there'],
    ['leading times', '10:32 Priya: hello\n10:33 PM Tomas: hi there'],
    ['dates and times', '2024-05-01 10:32 Priya: hello\n2024-05-01T10:33:00Z Tomas: hi there'],
    [
      'a messenger export',
      '12/31/23, 10:15 PM - Priya: hello\n12/31/23, 10:16 PM - Tomas: hi there',
    ],
    ['times after the name', 'Priya [10:32]: hello\nTomas (10:33): hi there'],
    ['Markdown', '**Priya:** hello\n**Tomas**: hi there'],
    ['full-width colons', 'Priya：hello\nTomas：hi there'],
    [
      'a JSON array',
      JSON.stringify([
        { role: 'user', name: 'Priya', content: 'hello' },
        { speaker: 'Tomas', text: 'hi there' },
      ]),
    ],
    ['JSON lines', '{"speaker":"Priya","message":"hello"}\n{"name":"Tomas","text":"hi there"}'],
    [
      'lists of parts',
      JSON.stringify([
        { name: 'Priya', content: [{ type: 'text', text: 'hello' }] },
        { name: 'Tomas', content: ['hi there'] },
      ]),
    ],
  ])('reads %s', (_, text) => {
    expect(parseTurns(text)).toEqual(SAID)
  })

  it('reads roles, names of several words, and names in other scripts', () => {
    const text = 'user: a\nSpeaker 2: b\nJuan de la Cruz: c\n王小明：你好\nuser: d'
    expect(parseTurns(text).map((turn) => turn.speaker)).toEqual([
      'user',
      'Speaker 2',
      'Juan de la Cruz',
      '王小明',
      'user',
    ])
  })

  it('lets a turn go on over lines and keeps what comes before the first', () => {
    expect(parseTurns('Call\nPriya: one\ntwo\n\nthree\nTomas: four')).toEqual([
      { speaker: null, text: 'Call' },
      { speaker: 'Priya', text: 'one\ntwo\n\nthree' },
      { speaker: 'Tomas', text: 'four' },
    ])
  })

  it('reads one JSON object with a text as one turn', () => {
    expect(parseTurns('{"role":"user","content":"hello"}')).toEqual([
      { speaker: 'user', text: 'hello' },
    ])
  })

  it('keeps JSON objects that say nothing as they are', () => {
    expect(parseTurns('[{"role":"user","content":"hello"},{"tool": "x"}]')).toEqual([
      { speaker: 'user', text: 'hello' },
      { speaker: null, text: '{"tool":"x"}' },
    ])
  })

  it.each([
    ['prose', 'I met Priya. She said: hello.'],
    ['one label', 'Priya: hello'],
    ['notes', 'Note: buy milk\nTodo: call Ann'],
    ['sentences with colons', 'He told me: go\nThen I said: no'],
    ['links and clocks', 'Https://example.org\nHttp://example.org\nRoom 10:30\nRoom 11:30'],
    ['code', 'Foo::bar\nC:\\temp\\x\nD:\\temp'],
    ['a form', 'Colour: red\nSize: ten\nShape: round\nWeight: two\nMaker: Acme'],
    ['JSON in which nobody speaks', '{"a": 1}\n{"a": 2}'],
    ['broken JSON', '[{"role":"user","content":"hel'],
    ['nothing', ''],
  ])('takes %s for one turn of nobody', (_, text) => {
    expect(parseTurns(text)).toEqual([{ speaker: null, text }])
  })
})
