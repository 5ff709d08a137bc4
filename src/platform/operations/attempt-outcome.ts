import { ModelError } from '../models/model-error.ts'
import {
  type OperationErrorData,
  OperationFailure,
  type ParkedReason,
  ParkOperation,
} from './operation.ts'

/** Waits between attempts: 5 s, 15 s, 45 s … */
const BACKOFF_BASE_MS = 5_000
const BACKOFF_FACTOR = 3
const BACKOFF_MAX_MS = 30 * 60_000
/** A provider that asks for more and more patience is waited for this long in all. */
const MAX_PARKED_MS = 24 * 3_600_000
const MAX_MESSAGE_LENGTH = 2_000

export type AttemptOutcome =
  | { readonly kind: 'park'; readonly until: Date; readonly reason: ParkedReason }
  | { readonly kind: 'retry'; readonly until: Date; readonly error: OperationErrorData }
  | { readonly kind: 'fail'; readonly error: OperationErrorData }

/** What becomes of an attempt that ended in an error. `attempt` counts it. */
export function outcomeOf(
  error: unknown,
  run: {
    readonly attempt: number
    readonly maxAttempts: number
    readonly createdAt: Date
    readonly now: Date
  },
): AttemptOutcome {
  const now = run.now.getTime()
  if (error instanceof ParkOperation)
    return { kind: 'park', until: error.until, reason: error.reason }
  const patient = now - run.createdAt.getTime() < MAX_PARKED_MS
  if (
    error instanceof ModelError &&
    error.kind === 'rateLimited' &&
    error.retryAfterMs !== null &&
    patient
  ) {
    return { kind: 'park', until: new Date(now + error.retryAfterMs), reason: 'RATE_LIMITED' }
  }
  const data = errorData(error)
  if (!data.retryable || run.attempt >= run.maxAttempts) return { kind: 'fail', error: data }
  const wait = Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * BACKOFF_FACTOR ** (run.attempt - 1))
  return { kind: 'retry', until: new Date(now + wait), error: data }
}

/** What clients may see of an error. An unexpected one is named by nothing but its kind; the log has it whole. */
export function errorData(error: unknown): OperationErrorData {
  if (error instanceof OperationFailure)
    return { ...error.data, message: bounded(error.data.message) }
  if (error instanceof ModelError) {
    return {
      code: 'UNAVAILABLE',
      reason: `MODEL_${error.kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      message: bounded(error.message),
      retryable: error.kind !== 'refused',
    }
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return {
      code: 'TIMEOUT',
      reason: 'TIME_LIMIT',
      message: 'The operation ran into its time limit.',
      retryable: false,
    }
  }
  return { code: 'INTERNAL', reason: null, message: 'Unexpected error.', retryable: true }
}

function bounded(message: string): string {
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message
}
