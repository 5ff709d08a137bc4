import type { HttpStatusError } from '../http-fetch.ts'

/**
 * What an endpoint has been found not to understand. Each field only ever grows, so that learning ends after a few
 * refusals, whichever of several parallel calls learns first.
 */
export interface Dialect {
  /** 0 response_format json_schema, 1 json_object, 2 none. */
  readonly responseFormat: number
  /** 1: no `temperature` (OpenAI's reasoning models take only the default). */
  readonly temperature: number
  /** 1: `max_completion_tokens` in place of `max_tokens` (the same models). */
  readonly maxTokens: number
  /** 1: no `stream_options`. */
  readonly streamOptions: number
  /** How one tool is forced: 0 by name, 1 'required' with no other tool offered, 2 not at all. */
  readonly toolChoice: number
}

export const FULL_DIALECT: Dialect = {
  responseFormat: 0,
  temperature: 0,
  maxTokens: 0,
  streamOptions: 0,
  toolChoice: 0,
}

const LAST_LEVEL: Dialect = {
  responseFormat: 2,
  temperature: 1,
  maxTokens: 1,
  streamOptions: 1,
  toolChoice: 2,
}

/** How a refusal names the feature it refuses. */
const NAMED_IN_REFUSAL: Readonly<Record<keyof Dialect, RegExp>> = {
  responseFormat: /response_?format|response_?schema|json_?schema|json_object|structured output/i,
  temperature: /temperature/i,
  maxTokens: /max_completion_tokens/i,
  streamOptions: /stream_options|include_usage/i,
  toolChoice: /tool_?choice/i,
}

/**
 * The dialect to try after a refusal of a request in the dialect `used`; null when the refusal names nothing that the
 * request had and could do without.
 */
export function learnFromRefusal(
  error: HttpStatusError,
  used: Dialect,
  sent: readonly (keyof Dialect)[],
): Dialect | null {
  if (error.status !== 400 && error.status !== 422) return null
  const refused = sent.find(
    (name) => used[name] < LAST_LEVEL[name] && NAMED_IN_REFUSAL[name].test(error.body),
  )
  return refused === undefined ? null : { ...used, [refused]: used[refused] + 1 }
}

/** What both know. */
export function mergeDialects(a: Dialect, b: Dialect): Dialect {
  return {
    responseFormat: Math.max(a.responseFormat, b.responseFormat),
    temperature: Math.max(a.temperature, b.temperature),
    maxTokens: Math.max(a.maxTokens, b.maxTokens),
    streamOptions: Math.max(a.streamOptions, b.streamOptions),
    toolChoice: Math.max(a.toolChoice, b.toolChoice),
  }
}
