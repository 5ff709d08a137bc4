import type { Queryable } from '../../db/database.ts'
import type { BankEvent } from '../event.ts'

interface EventRow {
  readonly bank_id: string
  readonly seq: bigint
  readonly xid: bigint
  readonly id: bigint
  readonly type: string
  readonly operation_id: string | null
  readonly mental_model_id: string | null
  readonly state_key: string | null
  readonly payload: Record<string, unknown>
  readonly at: Date
}

const COLUMNS = 'bank_id, seq, xid, id, type, operation_id, mental_model_id, state_key, payload, at'

/** Events of one bank with afterSeq < seq, oldest first. */
export async function readBankEvents(
  db: Queryable,
  bankId: string,
  afterSeq: number,
  limit: number,
): Promise<BankEvent[]> {
  const rows = await db.query<EventRow>(
    `SELECT ${COLUMNS} FROM bank_event WHERE bank_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
    [bankId, afterSeq, limit],
  )
  return rows.map(toEvent)
}

/**
 * Events of all banks after a position, in (xid, id) order. Only transactions below the snapshot's xmin are read: a
 * lower one that is still open could yet add a row in front of those already sent.
 */
export async function readAllEvents(
  db: Queryable,
  after: { readonly xid: number; readonly id: number },
  limit: number,
): Promise<BankEvent[]> {
  const rows = await db.query<EventRow>(
    `SELECT ${COLUMNS} FROM bank_event
     WHERE (xid, id) > ($1::bigint, $2::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     ORDER BY xid, id LIMIT $3`,
    [after.xid, after.id, limit],
  )
  return rows.map(toEvent)
}

function toEvent(row: EventRow): BankEvent {
  return {
    bankId: row.bank_id,
    seq: Number(row.seq),
    xid: Number(row.xid),
    id: Number(row.id),
    type: row.type,
    operationId: row.operation_id,
    mentalModelId: row.mental_model_id,
    stateKey: row.state_key,
    payload: row.payload,
    at: row.at,
  }
}
