import { Prisma } from '../../generated/prisma/client.ts'
import type { Queryable, Transaction } from '../db/database.ts'
import type { EventLog } from '../events/event-log.ts'
import type { OperationChangeKind, OperationRow } from './operation.ts'
import { operationEvent } from './operation-event.ts'

export function findOperation(
  db: Queryable,
  bankId: string,
  id: string,
): Promise<OperationRow | null> {
  return db.prisma.operation.findUnique({ where: { bankId_id: { bankId, id } } })
}

/** Locks the row until the transaction ends. The caller holds the bank's lock. */
export async function lockOperation(
  tx: Transaction,
  bankId: string,
  id: string,
): Promise<OperationRow | null> {
  await tx.query('SELECT 1 FROM operation WHERE bank_id = $1 AND id = $2::uuid FOR UPDATE', [
    bankId,
    id,
  ])
  return findOperation(tx, bankId, id)
}

/** Writes a change and the event that reports it. */
export async function changeOperation(
  tx: Transaction,
  log: EventLog,
  operation: Pick<OperationRow, 'bankId' | 'id'>,
  change: OperationChangeKind,
  data: Prisma.OperationUpdateInput,
  at: Date,
): Promise<OperationRow> {
  const { bankId, id } = operation
  const row = await tx.prisma.operation.update({
    where: { bankId_id: { bankId, id } },
    data: { ...data, updatedAt: at },
  })
  await log.append(tx, bankId, [operationEvent(row, change)], at)
  return row
}

/** JSON for a column: null must be said as such to Prisma. */
export function json(value: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null || value === undefined ? Prisma.DbNull : (value as Prisma.InputJsonValue)
}
