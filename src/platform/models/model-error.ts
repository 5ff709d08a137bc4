export type ModelErrorKind =
  /** 429 or a quota: try again after `retryAfterMs`. */
  | 'rateLimited'
  /** The endpoint cannot be reached, timed out or answered 5xx. */
  | 'unavailable'
  /** The prompt does not fit the model's context. */
  | 'contextOverflow'
  /** The answer was cut off at the provider's length limit. */
  | 'truncated'
  /** Something came back that cannot be used: no JSON where it was due, prose only, an empty message. */
  | 'unusable'
  /** The endpoint refused the request: a wrong key, an unknown model, content policy. Trying again does not help. */
  | 'refused'

/**
 * Thrown by the implementations of the model ports. The message names the model and what happened, never a key, and
 * quotes at most 500 characters of what came back.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ModelErrorKind
  readonly retryAfterMs: number | null

  constructor(
    kind: ModelErrorKind,
    message: string,
    retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}
