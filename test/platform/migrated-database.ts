import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openEngine } from '../../src/platform/db/embedded-database.ts'
import { readMigrations } from '../../src/platform/db/migrations.ts'
import { openServerDatabase } from '../../src/platform/db/server-database.ts'
import type { Query } from './database-shape.ts'

export interface MigratedDatabase {
  /** All statements run in one session, so BEGIN and ROLLBACK work. */
  readonly query: Query
  close(): Promise<void>
}

/** An empty database with all migrations applied, on the engine this run of the tests is for. */
export async function openMigratedDatabase(): Promise<MigratedDatabase> {
  const url = process.env.ENGRAM_TEST_DATABASE_URL
  const migrations = await readMigrations('prisma/migrations')
  if (process.env.ENGRAM_TEST_ENGINE === 'postgres' && url) return openOnServer(url, migrations)
  const engine = await openEngine({ directory: null, migrations })
  return {
    query: async (sql) => (await engine.query(sql)).rows,
    close: () => engine.close(),
  }
}

async function openOnServer(
  url: string,
  migrations: Awaited<ReturnType<typeof readMigrations>>,
): Promise<MigratedDatabase> {
  const name = `engram_drift_${randomBytes(6).toString('hex')}`
  const own = new URL(url)
  own.pathname = `/${name}`
  await runOnce(url, `CREATE DATABASE ${name}`)
  const database = await openServerDatabase({
    url: own.href,
    poolSize: 1,
    migrations,
    onError: (error) => console.error(error),
  })
  await database.close()
  const client = new pg.Client({ connectionString: own.href })
  await client.connect()
  return {
    query: async (sql) => (await client.query(sql)).rows,
    close: async () => {
      await client.end()
      await runOnce(url, `DROP DATABASE ${name}`)
    },
  }
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
