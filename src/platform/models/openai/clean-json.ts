import { isRecord } from '../../../lib/json-lenient.ts'
import { cleanText } from '../../../lib/text.ts'

/** Deeper than any schema that is asked for, far from the end of the stack. */
const MAX_DEPTH = 64

/** A parsed value with every string and key cleaned; undefined when it is nested deeper than 64. */
export function cleanJson(value: unknown): unknown {
  return isTooDeep(value, MAX_DEPTH) ? undefined : clean(value)
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1))
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (!isRecord(value)) return value
  // fromEntries, since assigning a key `__proto__` would set the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key), clean(inner)]),
  )
}
