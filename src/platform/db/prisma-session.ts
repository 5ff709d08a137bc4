import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import type { PrismaSession, Queryable, Transaction } from './database.ts'

const MAX_TRANSACTION_MS = 30_000
/** How long a transaction may wait for a connection, or on the embedded engine for the one session. */
const MAX_WAIT_MS = 30_000
const MAX_TRANSACTION_TRIES = 5

export function queryable(prisma: PrismaSession): Queryable {
  return {
    prisma,
    query: <Row>(sql: string, params: readonly unknown[] = []) =>
      prisma.$queryRawUnsafe<Row[]>(sql, ...params),
    execute: (sql, params = []) => prisma.$executeRawUnsafe(sql, ...params),
  }
}

/** See Database.transaction. */
export async function runTransaction<T>(
  prisma: PrismaClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const actions: (() => void)[] = []
    try {
      const result = await prisma.$transaction(
        (session) =>
          work({ ...queryable(session), afterCommit: (action) => void actions.push(action) }),
        { maxWait: MAX_WAIT_MS, timeout: MAX_TRANSACTION_MS },
      )
      for (const action of actions) action()
      return result
    } catch (error) {
      if (attempt >= MAX_TRANSACTION_TRIES || !isRetryable(error)) throw error
    }
  }
}

/** Deadlock (40P01), serialisation failure (40001), and Prisma's name for both. */
function isRetryable(error: unknown): boolean {
  return sqlState(error) === '40P01' || sqlState(error) === '40001' || prismaCode(error) === 'P2034'
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505' || prismaCode(error) === 'P2002'
}

export function isForeignKeyViolation(error: unknown): boolean {
  return sqlState(error) === '23503' || prismaCode(error) === 'P2003'
}

function prismaCode(error: unknown): string | null {
  return error instanceof Prisma.PrismaClientKnownRequestError ? error.code : null
}

/** The five-character state of a failed raw query, which Prisma keeps in the error's meta or its cause. */
function sqlState(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null
  const text = JSON.stringify(error.meta ?? {})
  return /"(?:originalCode|code)":"([0-9A-Z]{5})"/.exec(text)?.[1] ?? null
}
