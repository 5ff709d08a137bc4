import type { z } from 'zod'
import type { Transaction } from '../db/database.ts'
import type { TokenUsage } from '../models/ports.ts'
import type {
  OperationErrorData,
  OperationProgress,
  OperationRow,
  OperationStatus,
} from './operation.ts'

/** What a handler is given for one attempt. */
export interface RunContext<Payload> {
  readonly operation: OperationRow
  readonly payload: Payload
  readonly bankId: string
  /** Aborted on cancel, on a lost claim, at the time limit and at shutdown. Reaches every model call. */
  readonly signal: AbortSignal
  /** Throws when the operation was cancelled meanwhile. Call before each model call and each costly step. */
  checkpoint(): Promise<void>
  /** At most five a second are sent; the last one always is. */
  progress(progress: OperationProgress): Promise<void>
  /** A transaction that holds the bank's lock and whose claim is still ours. Throws ClaimLostError. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Adds to the operation's token usage; written with the next state change. */
  addUsage(usage: TokenUsage): void
}

export interface RunResult {
  readonly detail?: unknown
  /** Runs in the transaction that completes the operation. */
  readonly finish?: (tx: Transaction) => Promise<void>
}

export interface AttemptEnd {
  readonly operation: OperationRow
  /** The operation's status after this attempt. */
  readonly status: OperationStatus
  readonly error: OperationErrorData | null
}

/** One kind of operation: its name, what its payload is, and what is done. The payload is checked on submit and on run. */
export interface Task<Payload> {
  readonly type: string
  readonly payload: z.ZodType<Payload>
  /** Claims allowed before the operation fails; a claim that ended in SIGKILL counts. */
  readonly maxAttempts: number
  readonly timeoutMs: number
  /** Must be safe to run twice: what is derived and what it replaces are written in one transaction. */
  run(context: RunContext<Payload>): Promise<RunResult>
  /** In the transaction that ends an attempt otherwise than in success, also when it is cancelled from outside. */
  onAttemptEnd?(tx: Transaction, end: AttemptEnd): Promise<void>
}

/** A parent has no handler: its status follows its children, in the transaction of their changes. */
export interface ParentKind {
  readonly type: string
  /** The parent's detail out of its children's, in order of creation. */
  summarise(details: readonly unknown[]): unknown
}

/** A task in a registry of all payload types; each checks its own payload before it runs. */
export type AnyTask = Task<unknown>

/** The one place where a task's payload type is forgotten: `payload.parse` stands before every `run`. */
export function defineTask<Payload>(task: Task<Payload>): AnyTask {
  return task as unknown as AnyTask
}
