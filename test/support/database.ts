import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { inject } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { openEmbeddedDatabase } from '../../src/platform/db/embedded-database.ts'
import { readMigrations } from '../../src/platform/db/migrations.ts'
import { openServerDatabase } from '../../src/platform/db/server-database.ts'

export const testEngine = process.env.ENGRAM_TEST_ENGINE === 'postgres' ? 'server' : 'embedded'

/** A migrated database of its own, cloned from the template; gone when closed. */
export async function openTestDatabase(): Promise<Database> {
  const migrations = await readMigrations('prisma/migrations')
  if (testEngine === 'embedded') {
    const loadDataDir = new Blob([new Uint8Array(await readFile(inject('template')))])
    return openEmbeddedDatabase({ directory: null, loadDataDir, migrations })
  }
  const url = new URL(process.env.ENGRAM_TEST_DATABASE_URL ?? '')
  const name = `engram_test_${randomUUID().replaceAll('-', '')}`
  await run(url, `CREATE DATABASE ${name} TEMPLATE ${inject('template')}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const onError = (error: unknown) => {
    throw error
  }
  const database = await openServerDatabase({ url: own.href, poolSize: 4, migrations, onError })
  return Object.create(database, {
    close: {
      value: async () => {
        await database.close()
        await run(url, `DROP DATABASE ${name} WITH (FORCE)`)
      },
    },
  }) as Database
}

async function run(url: URL, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
