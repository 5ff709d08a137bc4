import type { Queryable } from '../../db/database.ts'

export interface Candidate {
  readonly bank_id: string
  readonly id: string
}

/**
 * An operation is claimable when it is due, or when its lease ran out, and nothing of the same serialisation key runs
 * or was submitted before it. That last rule also keeps two claims at once from taking two of one key: the later one
 * sees the earlier one, pending or running, whichever it is by then.
 */
const CLAIMABLE = `
  ((o.status = 'PENDING' AND (o.next_attempt_at IS NULL OR o.next_attempt_at <= $1::timestamptz))
    OR (o.status = 'PROCESSING' AND o.lease_until < $1::timestamptz))
  AND o.type = ANY($2::text[])
  AND (o.serialization_key IS NULL OR NOT EXISTS (
    SELECT 1 FROM operation other
    WHERE other.bank_id = o.bank_id AND other.serialization_key = o.serialization_key AND other.id <> o.id
      AND (other.status = 'PROCESSING'
        OR (other.status = 'PENDING' AND (other.created_at, other.id) < (o.created_at, o.id)))
  ))`

/** Oldest first, without a lock. */
export function findClaimable(
  db: Queryable,
  now: Date,
  types: readonly string[],
  limit: number,
): Promise<Candidate[]> {
  return db.query<Candidate>(
    `SELECT o.bank_id, o.id FROM operation o WHERE o.status IN ('PENDING', 'PROCESSING') AND ${CLAIMABLE}
     ORDER BY o.created_at, o.id LIMIT $3`,
    [now, [...types], limit],
  )
}

/** Locks a candidate if it still is one. The caller holds the bank's lock. */
export async function lockClaimable(
  db: Queryable,
  now: Date,
  types: readonly string[],
  candidate: Candidate,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM operation o WHERE o.bank_id = $3 AND o.id = $4::uuid AND ${CLAIMABLE}
     FOR UPDATE OF o SKIP LOCKED`,
    [now, [...types], candidate.bank_id, candidate.id],
  )
  return rows.length > 0
}
