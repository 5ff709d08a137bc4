import { isRecord } from '../../../lib/json-lenient.ts'
import type { ModelError } from '../model-error.ts'
import { type ModelIdentity, modelError, quote } from '../model-failure.ts'

/**
 * Vectors of an embeddings answer, in the order of the texts, whatever order they came in. Throws ModelError `unusable`
 * for a wrong count, wrong dimensions, and numbers that are none or do not fit a float32: one bad vector in an index
 * spoils the order of all. All-zero vectors are passed on.
 */
export function readVectors(
  answer: unknown,
  count: number,
  dimensions: number,
  identity: ModelIdentity,
): readonly Float32Array[] {
  const body = typeof answer === 'string' ? (JSON.parse(answer) as unknown) : answer
  const data: unknown = isRecord(body) ? body.data : undefined
  if (!Array.isArray(data)) {
    const text = quote(JSON.stringify(body) ?? '', identity)
    throw modelError('unusable', identity, `no embeddings in the answer: ${text}`)
  }
  if (data.length !== count) {
    throw modelError('unusable', identity, `${data.length} embeddings for ${count} texts`)
  }
  const vectors = new Map<number, Float32Array>()
  data.forEach((item: unknown, position) => {
    const index = isRecord(item) && item.index !== undefined ? item.index : position
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw modelError('unusable', identity, 'an embedding for a text that was not sent')
    }
    vectors.set(index, readVector(item, dimensions, identity))
  })
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index)
    if (vector !== undefined) return vector
    throw modelError('unusable', identity, `no embedding for text ${index} of ${count}`)
  })
}

function readVector(item: unknown, dimensions: number, identity: ModelIdentity): Float32Array {
  const numbers: unknown = isRecord(item) ? item.embedding : undefined
  if (!Array.isArray(numbers)) throw badVector(identity, 'is not a list of numbers')
  if (numbers.length !== dimensions) {
    throw badVector(identity, `has ${numbers.length} dimensions, not ${dimensions}`)
  }
  if (
    !numbers.every((number) => typeof number === 'number' && Number.isFinite(Math.fround(number)))
  ) {
    throw badVector(identity, 'has numbers that are not finite')
  }
  return Float32Array.from(numbers)
}

function badVector(identity: ModelIdentity, what: string): ModelError {
  return modelError('unusable', identity, `an embedding ${what}`)
}
