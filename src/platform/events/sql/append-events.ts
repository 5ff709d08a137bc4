import type { Transaction } from '../../db/database.ts'
import type { NewEvent } from '../event.ts'

/**
 * Numbers and writes events of one bank in one statement. Updating the clock row locks it until the transaction ends:
 * numbers become visible in order and without a gap. The bank's clock must exist.
 */
export async function appendEvents(
  tx: Transaction,
  bankId: string,
  events: readonly NewEvent[],
  at: Date,
): Promise<void> {
  const rows = events.map((event) => ({
    type: event.type,
    operation_id: event.operationId ?? null,
    mental_model_id: event.mentalModelId ?? null,
    state_key: event.stateKey ?? null,
    payload: event.payload,
  }))
  await tx.execute(
    `WITH clock AS (
       UPDATE bank_clock SET seq = seq + $2 WHERE bank_id = $1 RETURNING seq
     )
     INSERT INTO bank_event (bank_id, seq, type, operation_id, mental_model_id, state_key, payload, at)
     SELECT $1, clock.seq - $2 + e.n, e.type, e.operation_id, e.mental_model_id, e.state_key, e.payload, $4::timestamptz
     FROM clock, ROWS FROM (
       jsonb_to_recordset($3::jsonb) AS (type text, operation_id uuid, mental_model_id text, state_key text, payload jsonb)
     ) WITH ORDINALITY AS e (type, operation_id, mental_model_id, state_key, payload, n)`,
    [bankId, rows.length, JSON.stringify(rows), at],
  )
}
