import type { Operation as OperationRow } from '../../generated/prisma/client.ts'

export type { OperationRow }

export type OperationStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
export type ParkedReason = 'MIN_REFRESH_INTERVAL' | 'RATE_LIMITED' | 'RETRY_BACKOFF'
export type OperationChangeKind =
  | 'CREATED'
  | 'STARTED'
  | 'PROGRESS'
  | 'PARKED'
  | 'RETRYING'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELLED'

export const TERMINAL_STATUSES: readonly OperationStatus[] = ['COMPLETED', 'FAILED', 'CANCELLED']

export function isTerminal(status: string): boolean {
  return (TERMINAL_STATUSES as readonly string[]).includes(status)
}

export interface OperationProgress {
  readonly stage: string
  readonly processed?: number
  readonly total?: number
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface OperationErrorData {
  readonly code: string
  readonly reason: string | null
  readonly message: string
  readonly retryable: boolean
}

/** Ends the attempt. Retried while attempts are left when `retryable`, else failed at once. */
export class OperationFailure extends Error {
  override readonly name = 'OperationFailure'
  readonly data: OperationErrorData
  /** What the operation's detail becomes, also on failure: what was done stays visible. */
  readonly detail: unknown

  constructor(data: OperationErrorData, detail?: unknown, options?: ErrorOptions) {
    super(data.message, options)
    this.data = data
    this.detail = detail
  }
}

/** Puts the operation back until an instant without using up an attempt. */
export class ParkOperation extends Error {
  override readonly name = 'ParkOperation'
  readonly until: Date
  readonly reason: ParkedReason

  constructor(until: Date, reason: ParkedReason) {
    super(`parked until ${until.toISOString()}`)
    this.until = until
    this.reason = reason
  }
}

/** The claim is gone: cancelled, taken over after the lease ran out, or deleted with its bank. Nothing may be written. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError'
}
