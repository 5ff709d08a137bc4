import type { Prisma } from '../../generated/prisma/client.ts'
import type { Transaction } from '../db/database.ts'
import type { TokenUsage } from '../models/ports.ts'
import { type AttemptOutcome, outcomeOf } from './attempt-outcome.ts'
import { extendLease, failOperation, type Ledger, lockClaim } from './claim.ts'
import {
  ClaimLostError,
  OperationFailure,
  type OperationProgress,
  type OperationRow,
} from './operation.ts'
import { changeOperation, json } from './operation-store.ts'
import { followChildren } from './parents.ts'
import type { AnyTask, RunContext, RunResult } from './task.ts'

const HEARTBEAT_MS = 15_000
const PROGRESS_INTERVAL_MS = 200

/** Why an attempt is ended from outside. */
export const SHUTDOWN = new Error('The worker is shutting down.')

/** One attempt at a claimed operation, from the handler's start to the state it leaves. */
export class Attempt {
  readonly operation: OperationRow
  readonly #ledger: Ledger
  readonly #task: AnyTask
  readonly #abort = new AbortController()
  readonly #onError: (error: unknown) => void
  #usage = { inputTokens: 0n, outputTokens: 0n }
  #progress: (OperationProgress & { readonly at: string }) | null = null
  #progressWrittenAt = 0

  constructor(
    ledger: Ledger,
    task: AnyTask,
    operation: OperationRow,
    onError: (error: unknown) => void,
  ) {
    this.#ledger = ledger
    this.#task = task
    this.operation = operation
    this.#onError = onError
    this.#usage = { inputTokens: operation.inputTokens, outputTokens: operation.outputTokens }
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason)
  }

  /** Never rejects: an attempt that cannot even write its end is claimed again when its lease runs out. */
  async run(): Promise<void> {
    const heartbeat = setInterval(() => void this.#heartbeat(), HEARTBEAT_MS)
    const timeLimit = setTimeout(
      () => this.abort(new DOMException('The operation ran into its time limit.', 'TimeoutError')),
      this.#task.timeoutMs,
    )
    try {
      const payload: unknown = this.#task.payload.parse(this.operation.payload)
      const result = await this.#task.run(this.#context(payload))
      await this.#complete(result)
    } catch (error) {
      await this.#end(this.#abort.signal.aborted ? this.#abort.signal.reason : error).catch(
        this.#onError,
      )
    } finally {
      clearInterval(heartbeat)
      clearTimeout(timeLimit)
    }
  }

  /** Looks whether the claim still holds, and ends the attempt when it does not. */
  async #heartbeat(): Promise<void> {
    try {
      await extendLease(this.#ledger, this.operation)
    } catch (error) {
      if (error instanceof ClaimLostError) this.abort(error)
      else this.#onError(error)
    }
  }

  #context(payload: unknown): RunContext<unknown> {
    return {
      operation: this.operation,
      payload,
      bankId: this.operation.bankId,
      signal: this.#abort.signal,
      checkpoint: async () => {
        this.#abort.signal.throwIfAborted()
        await extendLease(this.#ledger, this.operation)
      },
      progress: (progress) => this.#report(progress),
      transaction: (work) => this.#transaction(work),
      addUsage: (usage: TokenUsage) => {
        this.#usage.inputTokens += BigInt(usage.inputTokens)
        this.#usage.outputTokens += BigInt(usage.outputTokens)
      },
    }
  }

  async #transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#abort.signal.throwIfAborted()
    return this.#ledger.db.transaction(async (tx) => {
      await lockClaim(tx, this.operation)
      return work(tx)
    })
  }

  async #report(progress: OperationProgress): Promise<void> {
    const reportedAt = this.#ledger.now()
    this.#progress = { detail: {}, ...progress, at: reportedAt.toISOString() }
    const now = reportedAt.getTime()
    const isLast = progress.processed !== undefined && progress.processed === progress.total
    if (!isLast && Math.abs(now - this.#progressWrittenAt) < PROGRESS_INTERVAL_MS) return
    this.#progressWrittenAt = now
    await this.#transaction(async (tx) => {
      const at = this.#ledger.now()
      await changeOperation(tx, this.#ledger.log, this.operation, 'PROGRESS', this.#ownData(), at)
    })
  }

  /**
   * Newest progress, and usage: part of every state change. Reading it changes nothing, since the transaction that
   * writes it may be tried again.
   */
  #ownData(): Prisma.OperationUpdateInput {
    return { ...this.#usage, ...(this.#progress ? { progress: json(this.#progress) } : {}) }
  }

  async #complete(result: RunResult): Promise<void> {
    const { log, parents, now } = this.#ledger
    await this.#transaction(async (tx) => {
      await result.finish?.(tx)
      const at = now()
      const completed = await changeOperation(
        tx,
        log,
        this.operation,
        'COMPLETED',
        {
          ...this.#ownData(),
          status: 'COMPLETED',
          error: json(null),
          ...(result.detail === undefined ? {} : { detail: json(result.detail) }),
          completedAt: at,
          leaseUntil: null,
        },
        at,
      )
      await followChildren(tx, log, parents, completed, at)
    })
  }

  async #end(error: unknown): Promise<void> {
    if (error instanceof ClaimLostError) return
    const { now } = this.#ledger
    if (error === SHUTDOWN) {
      // Due again at once, and the attempt does not count.
      return this.#settle({ kind: 'park', until: now(), reason: 'RETRY_BACKOFF' })
    }
    const outcome = outcomeOf(error, { ...this.operation, now: now() })
    if (outcome.kind !== 'park' && outcome.error.code === 'INTERNAL') this.#onError(error)
    return this.#settle(outcome, error instanceof OperationFailure ? error.detail : undefined)
  }

  /** Writes what an attempt without success leaves, unless the claim is gone. */
  async #settle(outcome: AttemptOutcome, detail?: unknown): Promise<void> {
    await this.#ledger.db
      .transaction(async (tx) => {
        const current = await lockClaim(tx, this.operation)
        const failed = outcome.kind === 'fail'
        if (!failed && !(await this.#isReplaced(tx))) return this.#postpone(tx, outcome)
        const error = failed ? outcome.error : replacedBy(outcome)
        await tx.prisma.operation.update({ where: this.#key(), data: this.#ownData() })
        await failOperation(this.#ledger, tx, current, error, detail)
      })
      .catch((failure: unknown) => {
        if (!(failure instanceof ClaimLostError)) throw failure
      })
  }

  #key() {
    return { bankId_id: { bankId: this.operation.bankId, id: this.operation.id } }
  }

  /** Another operation that does the same was submitted meanwhile; two pending ones may not be. */
  async #isReplaced(tx: Transaction): Promise<boolean> {
    const { bankId, coalesceKey } = this.operation
    if (!coalesceKey) return false
    return (
      (await tx.prisma.operation.count({ where: { bankId, coalesceKey, status: 'PENDING' } })) > 0
    )
  }

  async #postpone(
    tx: Transaction,
    outcome: Exclude<AttemptOutcome, { kind: 'fail' }>,
  ): Promise<void> {
    const { log, tasks, parents, now } = this.#ledger
    const at = now()
    const parked = outcome.kind === 'park'
    const waiting = await changeOperation(
      tx,
      log,
      this.operation,
      parked ? 'PARKED' : 'RETRYING',
      {
        ...this.#ownData(),
        status: 'PENDING',
        nextAttemptAt: outcome.until,
        parkedReason: parked ? outcome.reason : 'RETRY_BACKOFF',
        leaseUntil: null,
        ...(parked ? { attempt: { decrement: 1 } } : { error: json(outcome.error) }),
      },
      at,
    )
    const error = outcome.kind === 'park' ? null : outcome.error
    await tasks
      .get(waiting.type)
      ?.onAttemptEnd?.(tx, { operation: waiting, status: 'PENDING', error })
    await followChildren(tx, log, parents, waiting, at)
  }
}

function replacedBy(outcome: Exclude<AttemptOutcome, { kind: 'fail' }>) {
  const cause = outcome.kind === 'park' ? 'It was put off' : `It failed (${outcome.error.message})`
  return {
    code: 'CONFLICT',
    reason: 'REPLACED',
    message: `${cause}, and a newer operation that does the same is pending.`,
    retryable: false,
  }
}
