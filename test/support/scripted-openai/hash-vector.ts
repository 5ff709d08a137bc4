/**
 * A unit vector for a text, the same on every machine: each word adds pseudo-random numbers seeded by its hash. Texts
 * that share words come out similar, others about orthogonal; letter case and punctuation do not count.
 */
export function hashVector(text: string, dimensions: number): readonly number[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]
  const sum = new Array<number>(dimensions).fill(0)
  for (const word of words) {
    const next = randomFrom(hash(word))
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + next() - 0.5
  }
  const norm = Math.hypot(...sum)
  return sum.map((value) => value / norm)
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value >>> 0
}

/** Mulberry32: numbers in 0..1. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
