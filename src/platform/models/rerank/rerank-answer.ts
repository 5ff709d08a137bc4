import { isRecord } from '../../../lib/json-lenient.ts'
import { type ModelIdentity, modelError, quote } from '../model-failure.ts'

/**
 * Raw scores in the order of the passages: `{results: [{index, relevance_score}]}` (Cohere, Jina) or
 * `[{index, score}]` (TEI). A score that is no number is NaN here. Throws ModelError `unusable` unless there is exactly
 * one entry a passage.
 */
export function readScores(
  answer: string,
  count: number,
  identity: ModelIdentity,
): readonly number[] {
  const body = parse(answer)
  const list: unknown = isRecord(body) ? (body.results ?? body.data) : body
  const entries = Array.isArray(list) ? list.filter(isRecord) : []
  const scores = new Map<number, number>()
  for (const { index, relevance_score, score } of entries) {
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) break
    const value = relevance_score ?? score
    scores.set(index, typeof value === 'number' ? value : Number.NaN)
  }
  if (scores.size !== count || entries.length !== count) {
    const what = `not one score for each of ${count} passages: ${quote(answer, identity)}`
    throw modelError('unusable', identity, what)
  }
  return Array.from({ length: count }, (_, index) => scores.get(index) ?? Number.NaN)
}

/** Python servers write NaN and Infinity bare, which is no JSON. */
function parse(answer: string): unknown {
  return JSON.parse(answer.replace(/:\s*(?:NaN|-?Infinity)\b/g, ':null'))
}

/**
 * Scores in 0..1. As soon as one lies outside, all of them are logits and go through the sigmoid: a model that is
 * calibrated already would be squashed by it. What is not finite ranks last: 0.
 */
export function toUnitScores(scores: readonly number[]): readonly number[] {
  const areLogits = scores.some((score) => Number.isFinite(score) && (score < 0 || score > 1))
  return scores.map((score) => {
    if (!Number.isFinite(score)) return 0
    return areLogits ? 1 / (1 + Math.exp(-score)) : score
  })
}
