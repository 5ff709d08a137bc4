import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { PrismaClient } from '../../generated/prisma/client.ts'
import type { Database } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { applyMigrations, type Migration } from './migrations.ts'
import { queryable, runTransaction } from './prisma-session.ts'

/** A data directory made with an extension loaded must be opened with it. */
const extensions = { vector, pg_trgm }

export interface EmbeddedOptions {
  /** null keeps everything in memory. */
  readonly directory: string | null
  /** A dump to start from instead of an empty database. */
  readonly loadDataDir?: Blob
  readonly migrations: readonly Migration[]
}

/** Opens the database in this process. Throws when another process has the directory, or when it is damaged. */
export async function openEmbeddedDatabase(options: EmbeddedOptions): Promise<Database> {
  const unlock = options.directory ? await lockDirectory(options.directory) : async () => {}
  try {
    const pglite = await openEngine(options)
    return databaseOver(pglite, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

/** The migrated engine below the embedded database, for tests that dump it. */
export async function openEngine(options: EmbeddedOptions): Promise<PGlite> {
  const path = options.directory ? await initialised(options.directory) : undefined
  const pglite = await PGlite.create({
    ...(path ? { dataDir: path } : {}),
    ...(options.loadDataDir ? { loadDataDir: options.loadDataDir } : {}),
    extensions,
  })
  await pglite.exec("SET timezone TO 'UTC'")
  await applyMigrations(
    {
      query: async (sql, params = []) => (await pglite.query(sql, [...params])).rows,
      script: async (sql) => void (await pglite.exec(sql)),
      lockable: false,
    },
    options.migrations,
  )
  return pglite
}

/**
 * A stop during the very first initialisation leaves half a directory that can never be opened, so it is made under
 * another name and renamed once complete. A directory that has the final name is never wiped.
 */
async function initialised(directory: string): Promise<string> {
  const path = join(directory, 'postgres')
  if (await exists(path)) return path
  const unfinished = join(directory, 'postgres.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  const pglite = await PGlite.create({ dataDir: unfinished, extensions })
  await pglite.close()
  await rename(unfinished, path)
  return path
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function databaseOver(pglite: PGlite, unlock: () => Promise<void>): Database {
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite) })
  return {
    ...queryable(prisma),
    prisma,
    engine: 'embedded',
    transaction: (work) => runTransaction(prisma, work),
    onWake: () => () => {},
    wakeOthers: async () => {},
    listening: true,
    close: async () => {
      await prisma.$disconnect()
      if (!pglite.closed) await pglite.close()
      await unlock()
    },
  }
}
