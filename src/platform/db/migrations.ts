import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The key that the Prisma CLI locks too, so that both never migrate at once. */
const PRISMA_ADVISORY_LOCK = 72707369

export interface Migration {
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file, as Prisma books it. */
  readonly checksum: string
}

/** The driver below Prisma: migrations hold many statements a file, which prepared statements cannot. */
export interface MigrationDriver {
  query(sql: string, params?: readonly unknown[]): Promise<unknown[]>
  script(sql: string): Promise<void>
  /** False on the embedded engine, whose directory lock does the same. */
  readonly lockable: boolean
}

interface Booked {
  readonly migration_name: string
  readonly checksum: string
  readonly finished_at: Date | null
}

/** Reads prisma/migrations, oldest first. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies what is missing, each migration in a transaction of its own, and books it in `_prisma_migrations` exactly as
 * `prisma migrate deploy` does, so that either can go on where the other stopped. Returns the names applied.
 * Throws when a migration that is booked has changed since, or is booked as unfinished.
 */
export async function applyMigrations(
  driver: MigrationDriver,
  migrations: readonly Migration[],
): Promise<string[]> {
  if (driver.lockable) await driver.query('SELECT pg_advisory_lock($1)', [PRISMA_ADVISORY_LOCK])
  try {
    await driver.script(CREATE_BOOK)
    const booked = (await driver.query(
      'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
    )) as Booked[]
    const applied: string[] = []
    for (const migration of migrations) {
      const entry = booked.find((row) => row.migration_name === migration.name)
      if (entry) checkBooked(entry, migration)
      else {
        await driver.script(applyScript(migration))
        applied.push(migration.name)
      }
    }
    return applied
  } finally {
    if (driver.lockable) await driver.query('SELECT pg_advisory_unlock($1)', [PRISMA_ADVISORY_LOCK])
  }
}

function checkBooked(entry: Booked, migration: Migration): void {
  if (entry.finished_at === null) {
    throw new Error(
      `Migration ${migration.name} was begun by another tool and never finished. Run "npx prisma migrate resolve" before starting.`,
    )
  }
  if (entry.checksum !== migration.checksum) {
    throw new Error(
      `Migration ${migration.name} is applied to this database in another form than the one shipped. Start the release that made this database.`,
    )
  }
}

/** All values are our own file names and hashes; a script of many statements takes no parameters. */
function applyScript({ name, sql, checksum }: Migration): string {
  return `BEGIN;
${sql}
INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
VALUES ('${randomUUID()}', '${checksum}', now(), '${name}', 1);
COMMIT;`
}

const CREATE_BOOK = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  varchar(36) PRIMARY KEY NOT NULL,
  checksum            varchar(64) NOT NULL,
  finished_at         timestamptz,
  migration_name      varchar(255) NOT NULL,
  logs                text,
  rolled_back_at      timestamptz,
  started_at          timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
);`
