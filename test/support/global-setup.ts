import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openEngine } from '../../src/platform/db/embedded-database.ts'
import { readMigrations } from '../../src/platform/db/migrations.ts'
import { openServerDatabase } from '../../src/platform/db/server-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A dump of a migrated embedded database, or the name of a migrated template database. */
    template: string
  }
}

/** Migrates one database before the first test; each test file clones it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return process.env.ENGRAM_TEST_ENGINE === 'postgres'
    ? serverTemplate(project)
    : embeddedTemplate(project)
}

async function embeddedTemplate(project: TestProject) {
  const directory = await mkdtemp(join(tmpdir(), 'engram-test-'))
  const engine = await openEngine({
    directory: null,
    migrations: await readMigrations('prisma/migrations'),
  })
  const dump = await engine.dumpDataDir('none')
  await engine.close()
  const path = join(directory, 'template.tar')
  await writeFile(path, Buffer.from(await dump.arrayBuffer()))
  project.provide('template', path)
  return () => rm(directory, { recursive: true, force: true })
}

async function serverTemplate(project: TestProject) {
  const url = new URL(process.env.ENGRAM_TEST_DATABASE_URL ?? '')
  const name = `engram_template_${process.pid}`
  await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`))
  const template = new URL(url)
  template.pathname = `/${name}`
  const database = await openServerDatabase({
    url: template.href,
    poolSize: 1,
    migrations: await readMigrations('prisma/migrations'),
    onError: () => {},
  })
  await database.close()
  project.provide('template', name)
  return async () => {
    await withClient(url, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  }
}

async function withClient(url: URL, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await act(client).finally(() => client.end())
}
