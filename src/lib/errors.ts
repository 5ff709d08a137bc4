/** Errors that a caller caused or can act on. Services throw them; the API shows them as members of result unions. */

export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'FORBIDDEN'
  | 'UNAUTHENTICATED'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'TIMEOUT'
  | 'INTERNAL'

/** One thing wrong with an input. `path` leads from the input's root to it. */
export interface ValidationIssue {
  readonly path: readonly string[]
  readonly message: string
  readonly code: string
}

export abstract class EngramError extends Error {
  abstract readonly code: ErrorCode
  /** Fine, stable sub-code such as TRIGGER_CONFLICT. */
  readonly reason: string | null

  constructor(message: string, reason: string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The input is wrong; every problem found is named, and nothing was changed. */
export class ValidationError extends EngramError {
  override readonly name = 'ValidationError'
  readonly code = 'BAD_USER_INPUT'
  readonly issues: readonly ValidationIssue[]

  constructor(issues: readonly ValidationIssue[], reason: string | null = null) {
    super(
      issues
        .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
        .join('; '),
      reason,
    )
    this.issues = issues
  }
}

/** There is no such thing, or it belongs to a bank that the caller may not see: both read the same. */
export class NotFoundError extends EngramError {
  override readonly name = 'NotFoundError'
  readonly code = 'NOT_FOUND'
}

/** It cannot be done in the state that things are in. */
export class ConflictError extends EngramError {
  override readonly name = 'ConflictError'
  readonly code = 'CONFLICT'
}

/** The caller's key does not allow it. */
export class ForbiddenError extends EngramError {
  override readonly name = 'ForbiddenError'
  readonly code = 'FORBIDDEN'
}

/** Too many requests by this key. */
export class RateLimitedError extends EngramError {
  override readonly name = 'RateLimitedError'
  readonly code = 'RATE_LIMITED'
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** A model or the database is out of reach. */
export class UnavailableError extends EngramError {
  override readonly name = 'UnavailableError'
  readonly code = 'UNAVAILABLE'
  readonly retryAfterMs: number | null

  constructor(
    message: string,
    reason: string | null,
    retryAfterMs: number | null,
    options?: ErrorOptions,
  ) {
    super(message, reason, options)
    this.retryAfterMs = retryAfterMs
  }
}
