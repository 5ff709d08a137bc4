import { expect, test } from 'vitest'
import { parseYaml } from './yaml-subset.ts'

test('reads maps, lists and scalars', () => {
  const text = `
# comment
a:
  b: plain text
  c: ["x", "y: z"]
  d:
    - one
    - key: k
      more: m
    - "127.0.0.1:1:2"
e: {}
f: 512mb
`
  expect(parseYaml(text)).toEqual({
    a: {
      b: 'plain text',
      c: ['x', 'y: z'],
      d: ['one', { key: 'k', more: 'm' }, '127.0.0.1:1:2'],
    },
    e: {},
    f: '512mb',
  })
})

test.each([
  ['an anchor', 'a: &b c'],
  ['an alias', 'a: *b'],
  ['a block scalar', 'a: |\n  b'],
  ['a repeated key', 'a: b\na: c'],
  ['a key without a value', 'a:'],
  ['a comment behind a value', 'a: b # c'],
  ['a line that belongs nowhere', 'a:\n  b: c\n d: e'],
  ['text that is no entry', 'a'],
  ['a list item between entries', 'a: b\n- c'],
])('refuses %s', (_, text) => {
  expect(() => parseYaml(text)).toThrow()
})
