import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { DeadlineError } from './deadline.ts'
import { HttpStatusError, ResponseTooLargeError } from './http-fetch.ts'
import { ModelError, type ModelErrorKind } from './model-error.ts'
import { readRetryAfter } from './retry.ts'

const MAX_QUOTED_CHARS = 500

/** How providers say that a prompt is too long. They answer 400, 413, 422 and even 500. */
const OVERFLOW_PHRASES =
  /context_length_exceeded|maximum context length|context (window|size|length)|prompt is too long|input is too long|too many (input )?tokens|request too large|exceeds? the (maximum|max) (number of )?(input )?tokens|resource_exhausted[\s\S]*token/i
/** On a 429 most of them also describe a quota of tokens a minute. These do not. */
const OVERFLOW_PHRASES_OF_429 =
  /context_length_exceeded|maximum context length|prompt is too long|request too large/i

/** Who was asked, for messages; `secret` is taken out of everything quoted. */
export interface ModelIdentity {
  readonly model: string
  readonly secret: string | null
}

/** Beginning of something that came back, fit for a message: one line, no key. */
export function quote(text: string, identity: ModelIdentity): string {
  return scrub(text, identity.secret).replace(/\s+/g, ' ').trim().slice(0, MAX_QUOTED_CHARS)
}

export function modelError(
  kind: ModelErrorKind,
  identity: ModelIdentity,
  what: string,
  retryAfterMs: number | null = null,
): ModelError {
  return new ModelError(kind, `${scrub(identity.model, identity.secret)}: ${what}`, retryAfterMs)
}

/**
 * The ModelError that a failed request stands for; anything that is no failure of a request comes back as it is. The
 * original error is not kept as the cause: it carries unscrubbed text into every log.
 */
export function toModelError(error: unknown, identity: ModelIdentity, now: number): unknown {
  const root = rootOf(error)
  if (root instanceof ModelError) return root
  if (root instanceof HttpStatusError) {
    return statusError(root.status, root.body, root.headers, identity, now)
  }
  if (root instanceof DeadlineError) return modelError('unavailable', identity, root.message)
  if (root instanceof ResponseTooLargeError) return modelError('unusable', identity, root.message)
  if (root instanceof SyntaxError) {
    return modelError(
      'unusable',
      identity,
      `the answer is not JSON: ${quote(root.message, identity)}`,
    )
  }
  if (root instanceof APIConnectionTimeoutError) {
    return modelError('unavailable', identity, 'the connection timed out')
  }
  if (root instanceof APIError && !(root instanceof APIConnectionError)) {
    return reportedError(root.error, identity, now)
  }
  const isConnection = error instanceof APIConnectionError || isFetchFailure(root)
  return isConnection ? modelError('unavailable', identity, connectionMessage(root)) : error
}

/** An `error` object that came inside a 200 answer or an event stream, as gateways send it. */
export function reportedError(error: unknown, identity: ModelIdentity, now: number): ModelError {
  const code = Number(Object(error).code ?? Object(error).status)
  const status = code >= 400 && code <= 599 ? code : 502
  return statusError(status, JSON.stringify(error) ?? '', new Headers(), identity, now)
}

function statusError(
  status: number,
  body: string,
  headers: Headers,
  identity: ModelIdentity,
  now: number,
): ModelError {
  const what = `HTTP ${status}: ${quote(body, identity) || 'no body'}`
  const wait = readRetryAfter(headers, now)
  const isOverflow = (status === 429 ? OVERFLOW_PHRASES_OF_429 : OVERFLOW_PHRASES).test(body)
  if (isOverflow || status === 413) return modelError('contextOverflow', identity, what)
  if (status === 429) return modelError('rateLimited', identity, what, wait)
  if (status >= 500 || status === 408) return modelError('unavailable', identity, what, wait)
  return modelError('refused', identity, what)
}

function rootOf(error: unknown): unknown {
  if (!(error instanceof APIConnectionError)) return error
  return error.cause ?? error
}

/** What Node's fetch throws: before the headers, and in the middle of a body. Other TypeErrors are mistakes of ours. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)
}

function connectionMessage(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code: unknown = Object(cause).code
  return `the connection failed${typeof code === 'string' ? ` (${code})` : ''}`
}

function scrub(text: string, secret: string | null): string {
  return secret === null || secret === '' ? text : text.replaceAll(secret, '***')
}
