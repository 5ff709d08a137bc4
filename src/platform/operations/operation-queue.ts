import { createHash } from 'node:crypto'
import type { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/ids.ts'
import type { Database, Transaction } from '../db/database.ts'
import { lockBankClock } from '../events/bank-clock.ts'
import type { EventLog } from '../events/event-log.ts'
import { isTerminal, type OperationRow } from './operation.ts'
import { operationEvent } from './operation-event.ts'
import { changeOperation, findOperation, json, lockOperation } from './operation-store.ts'
import { followChildren } from './parents.ts'
import type { AnyTask, ParentKind } from './task.ts'

export interface Submission {
  readonly type: string
  readonly payload: unknown
  readonly serializationKey?: string
  /** At most one pending operation of the bank has this key; a second submission folds into it. */
  readonly coalesceKey?: string
  /** Same key and same `idempotencyInput`: the same operation. */
  readonly idempotencyKey?: string | null
  readonly idempotencyInput?: unknown
  readonly parentId?: string
  readonly documentId?: string
  readonly mentalModelId?: string
  /** The payload of the pending operation after this submission has folded into it. */
  readonly merge?: (pending: unknown) => unknown
  /** Makes a parked or waiting operation that this one folds into due at once. */
  readonly release?: boolean
}

export interface Submitted {
  readonly operation: OperationRow
  /** True: it is an operation that was there already. */
  readonly coalesced: boolean
}

/** The idempotency key was used before for something else. */
export class IdempotencyConflictError extends Error {
  override readonly name = 'IdempotencyConflictError'
}

/** The operation's state does not allow it: cancelling or retrying at the wrong time. */
export class OperationStateError extends Error {
  override readonly name = 'OperationStateError'
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

export interface QueueOptions {
  readonly db: Database
  readonly log: EventLog
  readonly now: () => Date
  readonly tasks: ReadonlyMap<string, AnyTask>
  readonly parents: ReadonlyMap<string, ParentKind>
}

/** Everything that clients may do with operations. What workers do is in worker.ts. */
export class OperationQueue {
  readonly #options: QueueOptions

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /**
   * Adds an operation in the caller's transaction, so that it is visible exactly when the change that asks for it is.
   * Takes the bank's lock. Throws IdempotencyConflictError.
   */
  async submit(tx: Transaction, bankId: string, submission: Submission): Promise<Submitted> {
    await lockBankClock(tx, bankId)
    const repeated = await this.#findRepeated(tx, bankId, submission)
    if (repeated) return { operation: repeated, coalesced: true }
    const pending = await this.#foldIntoPending(tx, bankId, submission)
    if (pending) return { operation: pending, coalesced: true }
    const operation = await this.#insert(tx, bankId, submission)
    return { operation, coalesced: false }
  }

  /** Null: there is none. Throws OperationStateError when it has ended. Ends unfinished children too. */
  cancel(bankId: string, id: string): Promise<OperationRow | null> {
    return this.#options.db.transaction(async (tx) => {
      const operation = await this.#lock(tx, bankId, id)
      if (!operation) return null
      if (isTerminal(operation.status)) {
        throw new OperationStateError(
          'OPERATION_ENDED',
          `The operation has ended (${operation.status}) and cannot be cancelled.`,
        )
      }
      const children = await this.#children(tx, operation)
      for (const child of children.filter((one) => !isTerminal(one.status))) {
        await this.#end(tx, child)
      }
      if (children.length > 0) return findOperation(tx, bankId, id)
      return this.#end(tx, operation)
    })
  }

  /** Ends every unfinished operation of a bank that is about to be deleted, in the caller's transaction. */
  async cancelAll(tx: Transaction, bankId: string): Promise<void> {
    const open = await tx.prisma.operation.findMany({
      where: {
        bankId,
        status: { in: ['PENDING', 'PROCESSING'] },
        type: { notIn: [...this.#options.parents.keys()] },
      },
    })
    for (const operation of open) await this.#end(tx, operation)
  }

  /** Null: there is none. Throws OperationStateError unless it failed or was cancelled. Attempts start anew. */
  retry(bankId: string, id: string): Promise<OperationRow | null> {
    return this.#options.db.transaction(async (tx) => {
      const operation = await this.#lock(tx, bankId, id)
      if (!operation) return null
      const retryable = (one: OperationRow) => one.status === 'FAILED' || one.status === 'CANCELLED'
      const children = await this.#children(tx, operation)
      const targets = children.length > 0 ? children.filter(retryable) : [operation]
      if (!retryable(operation) || targets.length === 0) {
        throw new OperationStateError(
          'OPERATION_NOT_RETRYABLE',
          `Only a failed or cancelled operation can be retried; this one is ${operation.status}.`,
        )
      }
      for (const target of targets) await this.#restart(tx, target)
      return findOperation(tx, bankId, id)
    })
  }

  /** False: there is none. Throws OperationStateError unless it has ended. Children go with it. */
  delete(bankId: string, id: string): Promise<boolean> {
    return this.#options.db.transaction(async (tx) => {
      const operation = await this.#lock(tx, bankId, id)
      if (!operation) return false
      if (!isTerminal(operation.status)) {
        throw new OperationStateError(
          'OPERATION_NOT_ENDED',
          `Only an operation that has ended can be deleted; this one is ${operation.status}.`,
        )
      }
      await tx.prisma.operation.deleteMany({ where: { bankId, OR: [{ id }, { parentId: id }] } })
      return true
    })
  }

  async #lock(tx: Transaction, bankId: string, id: string): Promise<OperationRow | null> {
    await lockBankClock(tx, bankId)
    return lockOperation(tx, bankId, id)
  }

  #children(tx: Transaction, operation: OperationRow): Promise<OperationRow[]> {
    return tx.prisma.operation.findMany({
      where: { bankId: operation.bankId, parentId: operation.id },
    })
  }

  async #findRepeated(
    tx: Transaction,
    bankId: string,
    { type, idempotencyKey, idempotencyInput }: Submission,
  ): Promise<OperationRow | null> {
    if (!idempotencyKey) return null
    const known = await tx.prisma.operation.findFirst({ where: { bankId, idempotencyKey } })
    const same = known?.type === type && known.idempotencyHash === hashOf(idempotencyInput)
    if (known && !same) {
      throw new IdempotencyConflictError('This idempotency key was used before with another input.')
    }
    return known
  }

  async #foldIntoPending(
    tx: Transaction,
    bankId: string,
    { coalesceKey, merge, release }: Submission,
  ): Promise<OperationRow | null> {
    if (!coalesceKey) return null
    const pending = await tx.prisma.operation.findFirst({
      where: { bankId, coalesceKey, status: 'PENDING' },
    })
    if (!pending) return null
    const at = this.#options.now()
    const released = release && pending.nextAttemptAt !== null
    const data: Prisma.OperationUpdateInput = {
      ...(merge ? { payload: merge(pending.payload) as Prisma.InputJsonValue } : {}),
      ...(released ? { nextAttemptAt: null, parkedReason: null } : {}),
    }
    if (Object.keys(data).length === 0) return pending
    if (released) return changeOperation(tx, this.#options.log, pending, 'RETRYING', data, at)
    return tx.prisma.operation.update({
      where: { bankId_id: { bankId, id: pending.id } },
      data: { ...data, updatedAt: at },
    })
  }

  async #insert(tx: Transaction, bankId: string, submission: Submission): Promise<OperationRow> {
    const task = this.#options.tasks.get(submission.type)
    const payload = task ? task.payload.parse(submission.payload) : submission.payload
    const at = this.#options.now()
    const operation = await tx.prisma.operation.create({
      data: {
        bankId,
        id: newId(at),
        type: submission.type,
        status: 'PENDING',
        payload: payload as Prisma.InputJsonValue,
        maxAttempts: task?.maxAttempts ?? 1,
        serializationKey: submission.serializationKey ?? null,
        coalesceKey: submission.coalesceKey ?? null,
        idempotencyKey: submission.idempotencyKey ?? null,
        idempotencyHash: submission.idempotencyKey ? hashOf(submission.idempotencyInput) : null,
        parentId: submission.parentId ?? null,
        documentId: submission.documentId ?? null,
        mentalModelId: submission.mentalModelId ?? null,
        createdAt: at,
        updatedAt: at,
      },
    })
    await this.#options.log.append(tx, bankId, [operationEvent(operation, 'CREATED')], at)
    return operation
  }

  async #end(tx: Transaction, operation: OperationRow): Promise<OperationRow> {
    const { log, parents, tasks, now } = this.#options
    const at = now()
    const ended = await changeOperation(
      tx,
      log,
      operation,
      'CANCELLED',
      {
        status: 'CANCELLED',
        completedAt: at,
        nextAttemptAt: null,
        parkedReason: null,
        leaseUntil: null,
      },
      at,
    )
    await tasks
      .get(operation.type)
      ?.onAttemptEnd?.(tx, { operation: ended, status: 'CANCELLED', error: null })
    await followChildren(tx, log, parents, ended, at)
    return ended
  }

  async #restart(tx: Transaction, operation: OperationRow): Promise<void> {
    const { bankId, coalesceKey } = operation
    const { log, parents, now } = this.#options
    if (
      coalesceKey &&
      (await tx.prisma.operation.findFirst({ where: { bankId, coalesceKey, status: 'PENDING' } }))
    ) {
      throw new OperationStateError(
        'OPERATION_ALREADY_PENDING',
        'Another operation that does the same is pending already.',
      )
    }
    const at = now()
    const restarted = await changeOperation(
      tx,
      log,
      operation,
      'RETRYING',
      {
        status: 'PENDING',
        attempt: 0,
        error: json(null),
        nextAttemptAt: null,
        parkedReason: null,
        completedAt: null,
      },
      at,
    )
    await followChildren(tx, log, parents, restarted, at)
  }
}

/** Key order does not matter to whether two inputs are the same. */
function hashOf(input: unknown): string {
  const canonical = JSON.stringify(input ?? null, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(canonical).digest('hex')
}
