import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuiltInEmbedder } from '../../src/platform/models/built-in/embedder.ts'
import {
  defaultWordVectorsPath,
  loadWordVectors,
} from '../../src/platform/models/built-in/word-vectors.ts'

// The table is built by `node scripts/build-word-vectors.mjs`, which the build runs.
const started = performance.now()
const embedder = createBuiltInEmbedder()
const loadMs = performance.now() - started

const options = { signal: new AbortController().signal }
const folder = mkdtempSync(join(tmpdir(), 'word-vectors-'))

afterAll(() => rmSync(folder, { recursive: true }))

async function embed(...texts: string[]): Promise<readonly Float32Array[]> {
  return embedder.embed(texts, 'passage', options)
}

async function similarity(a: string, b: string): Promise<number> {
  const [left = new Float32Array(), right = new Float32Array()] = await embed(a, b)
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
}

describe('built-in embedder', () => {
  it('says what it is', () => {
    console.log(`word table loaded in ${loadMs.toFixed(0)} ms`)
    expect(embedder.name).toBe('built-in-words-100d')
    expect(embedder.dimensions).toBe(100)
  })

  it('gives unit vectors, in order, and the same ones again', async () => {
    const texts = ['a dog barks', 'the bank raised its rates', 'we sailed to Norway']
    const vectors = await embed(...texts)
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    const [last] = await embed(texts[2] ?? '')
    expect(vectors[2]).toEqual(last)
    expect(await embed(...texts)).toEqual(vectors)
  })

  it.each([
    ['my puppy is ill', 'the dog went to the vet', 'interest rates rose again'],
    ['She bakes bread', 'he cooks dinner', 'the parliament passed a law'],
    ['a broken car engine', 'the truck needs a mechanic', 'poems about the moon'],
    ['the flight to Paris', 'a trip through Europe by airplane', 'database index size'],
  ])('puts %j nearer to %j than to %j', async (text, near, far) => {
    expect(await similarity(text, near)).toBeGreaterThan((await similarity(text, far)) + 0.1)
  })

  it('leaves unrelated texts near zero, since what all texts share is taken away', async () => {
    expect(await similarity('interest rates rose', 'the puppy sleeps')).toBeLessThan(0.35)
  })

  it.each(['', '   ', '你好，世界', 'xqzvtk wpplmn', '!!! ---', 'who are you', '🎉'])(
    'gives an all-zero vector for %j, which has no known word',
    async (text) => {
      const [vector] = await embed(text)
      expect(vector).toEqual(new Float32Array(100))
    },
  )

  it('reads words whatever their case, and plurals of known words', async () => {
    expect(await similarity('BERLIN', 'berlin')).toBeCloseTo(1, 5)
    expect(await similarity("Anna's dog", 'anna dog')).toBeCloseTo(1, 5)
  })

  it('stops when the signal is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('enough'))
    await expect(embedder.embed(['dog'], 'query', { signal: aborted })).rejects.toThrow('enough')
  })

  it('lets other work run between texts', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await embed(...Array.from({ length: 5000 }, (_, at) => `text number ${at} about dogs and cats`))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })
})

describe('the word table', () => {
  let bytes: Buffer

  beforeAll(() => {
    bytes = readFileSync(defaultWordVectorsPath())
  })

  it('is small and holds the common words', () => {
    expect(bytes.length).toBeLessThan(15e6)
    const table = loadWordVectors(defaultWordVectorsPath())
    expect(table.rows.size).toBe(60_000)
    for (const word of ['dog', 'berlin', 'allergic', 'paris'])
      expect(table.rows.has(word)).toBe(true)
    expect(Math.hypot(...table.commonDirection)).toBeCloseTo(1, 4)
  })

  it.each([
    ['is missing', null, 'build-word-vectors'],
    ['is cut off', (all: Buffer) => all.subarray(0, all.length - 10), 'damaged'],
    ['is something else', () => Buffer.alloc(500, 'x'), 'no word table'],
    ['is empty', () => Buffer.alloc(0), 'no word table'],
  ])('is refused with advice when it %s', (name, change, message) => {
    const path = join(folder, `${name}.bin`)
    if (change !== null) writeFileSync(path, change(bytes))
    expect(() => createBuiltInEmbedder(path)).toThrow(message)
  })
})
