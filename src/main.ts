import { pino } from 'pino'
import { type App, startApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { ServerDefaultsError } from './features/banks/server-defaults.ts'
import { DirectoryLockedError } from './platform/db/directory-lock.ts'

const ROLES = ['all', 'api', 'worker'] as const
type Role = (typeof ROLES)[number]

function readRole(argument: string | undefined): Role {
  const role = ROLES.find((one) => one === (argument ?? 'all'))
  if (!role) throw new ConfigError(`"${argument}" is no role; there are ${ROLES.join(', ')}.`)
  return role
}

async function main(): Promise<void> {
  const config = readConfig()
  const role = readRole(process.argv[2])
  if (role !== 'all' && !config.DATABASE_URL) {
    throw new ConfigError('Separate api and worker processes need PostgreSQL: set DATABASE_URL.')
  }
  const logger = pino({ level: config.ENGRAM_LOG_LEVEL })
  const app = await startApp({
    role,
    databaseUrl: config.DATABASE_URL ?? null,
    dataDirectory: config.ENGRAM_DATA_DIR,
    poolSize: config.ENGRAM_DATABASE_POOL,
    workerSlots: config.ENGRAM_WORKER_SLOTS,
    host: config.ENGRAM_HOST,
    port: config.ENGRAM_PORT,
    graphiql: config.ENGRAM_GRAPHIQL,
    keys: config.ENGRAM_API_KEYS,
    environment: config.environment,
    onError: (error, where) => logger.error({ err: error }, where),
  })
  announce(config, app)
  stopOnSignals(app)
}

function announce(config: Config, app: App): void {
  const place = config.DATABASE_URL ? 'in PostgreSQL' : `in ${config.ENGRAM_DATA_DIR}`
  process.stdout.write(`Data is kept ${place}.\n`)
  if (app.url) process.stdout.write(`Engram answers on ${app.url}\n`)
}

/** The first signal stops in order; a second one ends the process at once. */
function stopOnSignals(app: App): void {
  let stopping = false
  const onSignal = () => {
    if (stopping) process.exit(1)
    stopping = true
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

main().catch((error: unknown) => {
  const expected =
    error instanceof ConfigError ||
    error instanceof ServerDefaultsError ||
    error instanceof DirectoryLockedError
  process.stderr.write(
    `${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  )
  process.exit(1)
})
