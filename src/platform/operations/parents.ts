import type { Transaction } from '../db/database.ts'
import type { EventLog } from '../events/event-log.ts'
import { isTerminal, type OperationRow, type OperationStatus } from './operation.ts'
import { changeOperation, json, lockOperation } from './operation-store.ts'
import type { ParentKind } from './task.ts'

/**
 * Brings a parent in line with its children. Runs in the transaction of a child's change, under the bank's lock, so no
 * crash can leave a parent behind its children.
 */
export async function followChildren(
  tx: Transaction,
  log: EventLog,
  kinds: ReadonlyMap<string, ParentKind>,
  child: OperationRow,
  at: Date,
): Promise<void> {
  if (!child.parentId) return
  const parent = await lockOperation(tx, child.bankId, child.parentId)
  if (!parent) return
  const children = await tx.prisma.operation.findMany({
    where: { bankId: child.bankId, parentId: parent.id },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  const ended = children.filter((one) => isTerminal(one.status)).length
  const detail = kinds.get(parent.type)?.summarise(children.map((one) => one.detail)) ?? null
  const common = {
    progress: { stage: 'children', processed: ended, total: children.length, at: at.toISOString() },
    detail: json(detail),
    inputTokens: sum(children.map((one) => one.inputTokens)),
    outputTokens: sum(children.map((one) => one.outputTokens)),
  }
  if (ended < children.length) {
    const started = children.some((one) => one.status !== 'PENDING')
    const status: OperationStatus = started ? 'PROCESSING' : 'PENDING'
    if (parent.status === status) {
      await changeOperation(tx, log, parent, 'PROGRESS', common, at)
    } else {
      const change = started ? 'STARTED' : 'RETRYING'
      await changeOperation(
        tx,
        log,
        parent,
        change,
        {
          ...common,
          status,
          completedAt: null,
          error: json(null),
          ...(started ? { startedAt: parent.startedAt ?? at } : {}),
        },
        at,
      )
    }
    return
  }
  const status = endedStatus(children)
  const error = status === 'FAILED' ? mostFrequentError(children) : null
  await changeOperation(
    tx,
    log,
    parent,
    status,
    { ...common, status, error: json(error), completedAt: at },
    at,
  )
}

function endedStatus(children: readonly OperationRow[]): 'COMPLETED' | 'FAILED' | 'CANCELLED' {
  if (children.some((one) => one.status === 'FAILED')) return 'FAILED'
  return children.some((one) => one.status === 'CANCELLED') ? 'CANCELLED' : 'COMPLETED'
}

function mostFrequentError(children: readonly OperationRow[]): unknown {
  const counts = new Map<string, { error: unknown; count: number }>()
  for (const { status, error } of children) {
    if (status !== 'FAILED' || !error) continue
    const key = JSON.stringify(error)
    counts.set(key, { error, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.error ?? null
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}
