import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { BankService } from './features/banks/bank.service.ts'
import { readServerDefaults } from './features/banks/server-defaults.ts'
import { OperationService } from './features/operations/operation.service.ts'
import type { Services } from './graphql/context.ts'
import type { Database } from './platform/db/database.ts'
import { openEmbeddedDatabase } from './platform/db/embedded-database.ts'
import { readMigrations } from './platform/db/migrations.ts'
import { openServerDatabase } from './platform/db/server-database.ts'
import { EventHub } from './platform/events/event-hub.ts'
import { createEventLog } from './platform/events/event-log.ts'
import { type Clock, systemClock } from './platform/operations/clock.ts'
import { OperationQueue } from './platform/operations/operation-queue.ts'
import type { AnyTask, ParentKind } from './platform/operations/task.ts'
import { Worker } from './platform/operations/worker.ts'
import { schema } from './schema.ts'
import type { ApiKey } from './server/authenticate.ts'
import { type Server, startServer } from './server/server.ts'

const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url))
const WORKER_GRACE_MS = 20_000

export interface AppOptions {
  readonly role: 'all' | 'api' | 'worker'
  readonly databaseUrl: string | null
  readonly dataDirectory: string
  readonly poolSize: number
  readonly workerSlots: number
  readonly host: string
  readonly port: number
  readonly graphiql: boolean
  readonly keys: readonly ApiKey[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly onError: (error: unknown, where: string) => void
  /** Tests bring their own. */
  readonly database?: Database
  readonly clock?: Clock
}

export interface App {
  /** Null for a worker. */
  readonly url: string | null
  readonly services: Services
  stop(): Promise<void>
}

/** Wires platform and features and starts what the role needs. Throws before anything listens when a part cannot start. */
export async function startApp(options: AppOptions): Promise<App> {
  const { now } = options.clock ?? systemClock
  const defaults = readServerDefaults(options.environment)
  const db = options.database ?? (await openDatabase(options))
  const log = createEventLog(db)
  const tasks = new Map<string, AnyTask>()
  const parents = new Map<string, ParentKind>()
  const ledger = { db, log, now, tasks, parents }
  const queue = new OperationQueue(ledger)
  const hub = new EventHub(log, now, (error) => options.onError(error, 'events'))
  const worker = new Worker({
    ...ledger,
    workerId: randomUUID(),
    slots: options.workerSlots,
    onError: (error) => options.onError(error, 'worker'),
  })

  const banks = new BankService({ db, log, queue, now, defaults })
  const operations = new OperationService(db, queue)
  const bankExists = async (bankId: string) => (await banks.find(bankId)) !== null
  const services: Services = { hub, bankExists, banks, operations }

  let stopping: Promise<void> | null = null
  const isReady = async () => {
    if (stopping) return false
    await db.query('SELECT 1')
    return true
  }
  let server: Server | null = null
  try {
    if (options.role !== 'worker') {
      const onFault = (error: unknown, requestId: string) =>
        options.onError(error, `request ${requestId}`)
      server = await startServer({ ...options, schema, services, isReady, onFault })
    }
  } catch (error) {
    await hub.close()
    await db.close()
    throw error
  }
  if (options.role !== 'api') worker.start()

  /** Not ready, no new claims, streams ended with 1001, requests drained, tasks finished or put back, database closed. */
  const stop = async () => {
    const working = worker.stop(WORKER_GRACE_MS)
    await server?.stop(() => hub.close())
    if (!server) await hub.close()
    await working
    await db.close()
  }
  return {
    url: server?.url ?? null,
    services,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

async function openDatabase(options: AppOptions): Promise<Database> {
  const migrations = await readMigrations(MIGRATIONS)
  if (options.databaseUrl === null) {
    return openEmbeddedDatabase({ directory: options.dataDirectory, migrations })
  }
  return openServerDatabase({
    url: options.databaseUrl,
    poolSize: options.poolSize,
    migrations,
    onError: (error) => options.onError(error, 'database'),
  })
}
