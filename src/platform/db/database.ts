import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'

/** Prisma inside or outside a transaction. */
export type PrismaSession = PrismaClient | Prisma.TransactionClient

/** Runs raw SQL. Placeholders are $1, $2 …; rows come back as Prisma reads them: bigint as BigInt, timestamptz as Date. */
export interface Queryable {
  readonly prisma: PrismaSession
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>
  /** Number of rows changed. */
  execute(sql: string, params?: readonly unknown[]): Promise<number>
}

/**
 * An open transaction. No model, network or timer may be awaited while one is open: the embedded engine has a single
 * session and stands still until it ends.
 */
export interface Transaction extends Queryable {
  /** Runs once the transaction has committed; never if it rolled back. */
  afterCommit(action: () => void): void
}

export interface Database extends Queryable {
  readonly engine: 'embedded' | 'server'
  readonly prisma: PrismaClient
  /** Retried from the start after a deadlock or a serialisation failure, so `work` must be safe to run again. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Calls `onWake` soon after another process has called `wake`. A hint only: it may come late, twice or, while a
   * connection is being renewed, not at all. Correctness rests on polling.
   */
  onWake(onWake: () => void): () => void
  /** SQL that wakes other processes at commit; runs inside the transaction. Nothing to do on the embedded engine. */
  wakeOthers(tx: Transaction): Promise<void>
  /** False while the LISTEN connection is down and only polling works. */
  readonly listening: boolean
  close(): Promise<void>
}
