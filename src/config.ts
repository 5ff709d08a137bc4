import { z } from 'zod'

const DEFAULTS = {
  host: '127.0.0.1',
  port: 4000,
  dataDirectory: './data',
  workerSlots: 4,
  poolSize: 4,
} as const

const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const secret = z.string().min(1)

/** `name:secret:scopes:banks`, comma between keys; scopes joined by `+`, banks by `+` or `*` for all. */
const apiKey = z
  .string()
  .regex(
    /^[^:,]+:[^:,]{16,}:(READ|WRITE|ADMIN)(\+(READ|WRITE|ADMIN))*:[^:,]+$/,
    'is not name:secret:SCOPES:banks with a secret of at least 16 characters',
  )
  .transform((text) => {
    const [name = '', key = '', scopes = '', banks = ''] = text.split(':')
    return {
      name,
      secret: key,
      scopes: scopes.split('+') as ('READ' | 'WRITE' | 'ADMIN')[],
      bankIds: banks === '*' ? null : banks.split('+'),
    }
  })

const schema = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  ENGRAM_DATA_DIR: z.string().min(1).default(DEFAULTS.dataDirectory),
  ENGRAM_HOST: z.string().min(1).default(DEFAULTS.host),
  ENGRAM_PORT: integer(0, 65_535).default(DEFAULTS.port),
  ENGRAM_WORKER_SLOTS: integer(1, 64).default(DEFAULTS.workerSlots),
  ENGRAM_DATABASE_POOL: integer(1, 100).default(DEFAULTS.poolSize),
  ENGRAM_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  ENGRAM_GRAPHIQL: flag.default(true),
  ENGRAM_API_KEYS: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .pipe(z.array(apiKey))
    .default([]),
  ENGRAM_LLM_BASE_URL: z.url().optional(),
  ENGRAM_LLM_API_KEY: secret.optional(),
  ENGRAM_LLM_MODEL: z.string().min(1).optional(),
  ENGRAM_EMBEDDING_BASE_URL: z.url().optional(),
  ENGRAM_EMBEDDING_API_KEY: secret.optional(),
  ENGRAM_EMBEDDING_MODEL: z.string().min(1).optional(),
  ENGRAM_EMBEDDING_DIMENSIONS: integer(1, 4_000).optional(),
})

export type Config = ReturnType<typeof readConfig>

/** Something in the environment is wrong; every mistake is named. Values are left out: they may be secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the whole configuration. Empty variables count as absent. Throws ConfigError. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = schema.safeParse(given)
  const problems = result.success
    ? crossChecks(result.data)
    : result.error.issues.map(
        ({ path, message }) => `${path[0] === undefined ? '' : String(path[0])}: ${message}`,
      )
  if (!result.success || problems.length > 0) {
    throw new ConfigError(
      `The configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    )
  }
  return Object.freeze({ ...result.data, environment: Object.freeze({ ...given }) })
}

function crossChecks(config: z.output<typeof schema>): string[] {
  const problems: string[] = []
  const loopback = ['127.0.0.1', 'localhost', '::1'].includes(config.ENGRAM_HOST)
  if (!loopback && config.ENGRAM_API_KEYS.length === 0) {
    problems.push('ENGRAM_HOST: without ENGRAM_API_KEYS the server listens on 127.0.0.1 only')
  }
  if (Boolean(config.ENGRAM_LLM_BASE_URL) !== Boolean(config.ENGRAM_LLM_MODEL)) {
    problems.push('ENGRAM_LLM_BASE_URL and ENGRAM_LLM_MODEL: one needs the other')
  }
  const embedding = [
    config.ENGRAM_EMBEDDING_BASE_URL,
    config.ENGRAM_EMBEDDING_MODEL,
    config.ENGRAM_EMBEDDING_DIMENSIONS,
  ]
  if (embedding.some(Boolean) && !embedding.every(Boolean)) {
    problems.push(
      'ENGRAM_EMBEDDING_BASE_URL, ENGRAM_EMBEDDING_MODEL and ENGRAM_EMBEDDING_DIMENSIONS: all three or none',
    )
  }
  return problems
}
