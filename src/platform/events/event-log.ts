import type { Database, Queryable, Transaction } from '../db/database.ts'
import type { BankEvent, NewEvent } from './event.ts'
import { appendEvents } from './sql/append-events.ts'
import { readAllEvents, readBankEvents } from './sql/read-events.ts'

/** First and newest number that a bank's log can still give. `trimmed` and everything below it is gone. */
export interface LogBounds {
  readonly head: number
  readonly trimmed: number
}

/**
 * The durable log. Everything that is pushed to a client was appended here first, in the transaction of the change it
 * reports, and can be read again from any number that retention has kept.
 */
export interface EventLog {
  /** Appends in the order given. `at` is the instant of the change. */
  append(tx: Transaction, bankId: string, events: readonly NewEvent[], at: Date): Promise<void>
  read(bankId: string, afterSeq: number, limit: number): Promise<BankEvent[]>
  readAll(after: { xid: number; id: number }, limit: number): Promise<BankEvent[]>
  /** Null for a bank that never was. */
  bounds(bankId: string): Promise<LogBounds | null>
  /** Newest numbers of several banks at once; banks that never were are left out. */
  heads(bankIds: readonly string[]): Promise<Map<string, number>>
  allBounds(): Promise<{ head: { xid: number; id: number }; trimmed: { xid: number; id: number } }>
  /** Removes events older than `before`, at most `limit` a call. Returns how many. */
  trim(before: Date, limit: number): Promise<number>
  /** Calls back after events were committed by this process, or perhaps by another one. A hint. */
  onAppended(callback: () => void): () => void
}

export function createEventLog(db: Database): EventLog {
  const callbacks = new Set<() => void>()
  const wake = () => {
    for (const callback of callbacks) callback()
  }

  return {
    append: async (tx, bankId, events, at) => {
      if (events.length === 0) return
      await appendEvents(tx, bankId, events, at)
      await db.wakeOthers(tx)
      tx.afterCommit(wake)
    },
    read: (bankId, afterSeq, limit) => readBankEvents(db, bankId, afterSeq, limit),
    readAll: (after, limit) => readAllEvents(db, after, limit),
    bounds: (bankId) => readBounds(db, bankId),
    heads: (bankIds) => readHeads(db, bankIds),
    allBounds: () => readAllBounds(db),
    trim: (before, limit) => trimEvents(db, before, limit),
    onAppended: (callback) => {
      callbacks.add(callback)
      const off = db.onWake(callback)
      return () => {
        callbacks.delete(callback)
        off()
      }
    },
  }
}

async function readBounds(db: Queryable, bankId: string): Promise<LogBounds | null> {
  const [row] = await db.query<{ seq: bigint; trimmed_seq: bigint }>(
    'SELECT seq, trimmed_seq FROM bank_clock WHERE bank_id = $1',
    [bankId],
  )
  return row ? { head: Number(row.seq), trimmed: Number(row.trimmed_seq) } : null
}

async function readHeads(db: Queryable, bankIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ bank_id: string; seq: bigint }>(
    'SELECT bank_id, seq FROM bank_clock WHERE bank_id = ANY($1::text[])',
    [[...bankIds]],
  )
  return new Map(rows.map((row) => [row.bank_id, Number(row.seq)]))
}

/** The position of the newest settled transaction, and the newest position that retention removed. */
async function readAllBounds(db: Queryable) {
  const [row] = await db.query<{ xmin: bigint; trimmed: { xid: number; id: number } | null }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xmin,
            (SELECT value FROM setting WHERE key = 'events.trimmed') AS trimmed`,
  )
  // Every event of a transaction below xmin is in the past, whatever its id.
  return {
    head: { xid: Number(row?.xmin ?? 1) - 1, id: Number.MAX_SAFE_INTEGER },
    trimmed: row?.trimmed ?? { xid: 0, id: 0 },
  }
}

/** Oldest first, and never out of order within a bank: what stays is always the whole end of a log. */
async function trimEvents(db: Database, before: Date, limit: number): Promise<number> {
  const [row] = await db.query<{ removed: bigint }>(
    `WITH old AS (
       SELECT bank_id, seq, xid, id FROM bank_event WHERE at < $1::timestamptz ORDER BY xid, id LIMIT $2
     ), removed AS (
       DELETE FROM bank_event e USING old WHERE e.bank_id = old.bank_id AND e.seq = old.seq RETURNING e.bank_id, e.seq, e.xid, e.id
     ), clocks AS (
       UPDATE bank_clock c SET trimmed_seq = greatest(c.trimmed_seq, r.seq)
       FROM (SELECT bank_id, max(seq) AS seq FROM removed GROUP BY bank_id) r WHERE c.bank_id = r.bank_id
     ), newest AS (
       SELECT xid, id FROM removed ORDER BY xid DESC, id DESC LIMIT 1
     ), booked AS (
       INSERT INTO setting (key, value) SELECT 'events.trimmed', jsonb_build_object('xid', xid, 'id', id) FROM newest
       ON CONFLICT (key) DO UPDATE SET value = excluded.value
     )
     SELECT count(*) AS removed FROM removed`,
    [before, limit],
  )
  return Number(row?.removed ?? 0)
}
