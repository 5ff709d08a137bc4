import type { Queryable, Transaction } from '../db/database.ts'

/** A clock row for a bank that is being created. It may be there already: the row outlives a deleted bank. */
export async function ensureBankClock(tx: Queryable, bankId: string): Promise<void> {
  await tx.execute('INSERT INTO bank_clock (bank_id) VALUES ($1) ON CONFLICT DO NOTHING', [bankId])
}

/**
 * Takes the bank's lock until the transaction ends. The order of locks everywhere is: this row, then operations, then
 * the rest; a transaction that changes a bank takes it first. Returns false when the bank never was.
 */
export async function lockBankClock(tx: Transaction, bankId: string): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM bank_clock WHERE bank_id = $1 FOR UPDATE', [bankId])
  return rows.length > 0
}

/**
 * One instant for all memories that this transaction writes: now, but at least a millisecond after the bank's last
 * write. Strictly rising in order of commit, so that a watermark can neither skip a late commit nor lose a microsecond
 * in a JavaScript Date. Takes the bank's lock.
 */
export async function nextMemoryInstant(tx: Transaction, bankId: string, now: Date): Promise<Date> {
  const [row] = await tx.query<{ last_memory_write_at: Date }>(
    `UPDATE bank_clock
     SET last_memory_write_at = greatest($2::timestamptz(3), last_memory_write_at + interval '1 millisecond')
     WHERE bank_id = $1 RETURNING last_memory_write_at`,
    [bankId, now],
  )
  if (!row) throw new Error('The bank has no clock.')
  return row.last_memory_write_at
}
