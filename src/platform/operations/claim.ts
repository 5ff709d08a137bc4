import type { Database, Transaction } from '../db/database.ts'
import { lockBankClock } from '../events/bank-clock.ts'
import type { EventLog } from '../events/event-log.ts'
import { ClaimLostError, type OperationErrorData, type OperationRow } from './operation.ts'
import { changeOperation, findOperation, json, lockOperation } from './operation-store.ts'
import { followChildren } from './parents.ts'
import { type Candidate, findClaimable, lockClaimable } from './sql/find-claimable.ts'
import type { AnyTask, ParentKind } from './task.ts'

/** A worker that is silent this long has lost its claim. */
export const LEASE_MS = 60_000
const CANDIDATES = 20

export interface Ledger {
  readonly db: Database
  readonly log: EventLog
  readonly now: () => Date
  readonly tasks: ReadonlyMap<string, AnyTask>
  readonly parents: ReadonlyMap<string, ParentKind>
}

/**
 * Claims the oldest operation that is due, or null. A claim counts as an attempt, so that an operation which kills its
 * process is tried no more often than one that fails politely.
 */
export async function claimNext(ledger: Ledger, workerId: string): Promise<OperationRow | null> {
  const types = [...ledger.tasks.keys()]
  const candidates = await findClaimable(ledger.db, ledger.now(), types, CANDIDATES)
  for (const candidate of candidates) {
    const claimed = await ledger.db.transaction((tx) =>
      claim(ledger, tx, candidate, workerId, types),
    )
    if (claimed) return claimed
  }
  return null
}

async function claim(
  ledger: Ledger,
  tx: Transaction,
  candidate: Candidate,
  workerId: string,
  types: readonly string[],
): Promise<OperationRow | null> {
  const { log, now, parents } = ledger
  await lockBankClock(tx, candidate.bank_id)
  const at = now()
  if (!(await lockClaimable(tx, at, types, candidate))) return null
  const operation = await findOperation(tx, candidate.bank_id, candidate.id)
  if (!operation) return null
  if (operation.attempt >= operation.maxAttempts) {
    await failOperation(ledger, tx, operation, LEASE_EXPIRED)
    return null
  }
  const claimed = await changeOperation(
    tx,
    log,
    operation,
    'STARTED',
    {
      status: 'PROCESSING',
      attempt: { increment: 1 },
      fence: { increment: 1 },
      workerId,
      leaseUntil: new Date(at.getTime() + LEASE_MS),
      nextAttemptAt: null,
      parkedReason: null,
      startedAt: operation.startedAt ?? at,
    },
    at,
  )
  await followChildren(tx, log, parents, claimed, at)
  return claimed
}

const LEASE_EXPIRED: OperationErrorData = {
  code: 'INTERNAL',
  reason: 'ATTEMPTS_EXHAUSTED',
  message: 'The process working on it ended without an answer, as often as it may be tried.',
  retryable: false,
}

/** Ends an operation as failed, with all that follows from it. The caller holds the bank's lock. */
export async function failOperation(
  { log, now, tasks, parents }: Ledger,
  tx: Transaction,
  operation: OperationRow,
  error: OperationErrorData,
  detail?: unknown,
): Promise<void> {
  const at = now()
  const failed = await changeOperation(
    tx,
    log,
    operation,
    'FAILED',
    {
      status: 'FAILED',
      error: json(error),
      ...(detail === undefined ? {} : { detail: json(detail) }),
      completedAt: at,
      leaseUntil: null,
    },
    at,
  )
  await tasks
    .get(operation.type)
    ?.onAttemptEnd?.(tx, { operation: failed, status: 'FAILED', error })
  await followChildren(tx, log, parents, failed, at)
}

/** Locks the bank, then the operation if the claim still holds. Throws ClaimLostError. */
export async function lockClaim(tx: Transaction, claimed: OperationRow): Promise<OperationRow> {
  await lockBankClock(tx, claimed.bankId)
  const current = await lockOperation(tx, claimed.bankId, claimed.id)
  if (current?.status !== 'PROCESSING' || current.fence !== claimed.fence) {
    throw new ClaimLostError('The operation was cancelled or claimed by another worker.')
  }
  return current
}

/** Extends the lease. Throws ClaimLostError. */
export async function extendLease({ db, now }: Ledger, claimed: OperationRow): Promise<void> {
  const changed = await db.execute(
    `UPDATE operation SET lease_until = $4::timestamptz
     WHERE bank_id = $1 AND id = $2::uuid AND fence = $3 AND status = 'PROCESSING'`,
    [claimed.bankId, claimed.id, claimed.fence, new Date(now().getTime() + LEASE_MS)],
  )
  if (changed === 0)
    throw new ClaimLostError('The operation was cancelled or claimed by another worker.')
}
