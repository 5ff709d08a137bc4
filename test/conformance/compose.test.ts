import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { REPOSITORY } from './cruise.ts'
import { all, copies, execForm, parseDockerfile, type Stage } from './dockerfile.ts'
import { parseYaml } from './yaml-subset.ts'

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')

const manifest = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))

const service = z.object({
  image: z.string(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z
    .object({ test: z.array(z.string()).optional(), disable: z.string().optional() })
    .optional(),
})
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.object({})) })
  .parse(parseYaml(read('docker-compose.yml')))

const stages = parseDockerfile(read('Dockerfile'))
const build = stageAt(0)
const runtime = stageAt(1)

function stageAt(index: number): Stage {
  const stage = stages[index]
  if (!stage) throw new Error('The Dockerfile needs a stage that builds and one that runs')
  return stage
}

/** `dist/x.js` is what the build makes of `src/x.ts`. */
function expectBuilt(path: string | undefined): void {
  expect(path).toMatch(/^dist\/.+\.js$/)
  const source = path?.replace(/^dist\/(.+)\.js$/, 'src/$1.ts') ?? ''
  expect(existsSync(join(REPOSITORY, source)), `${source} exists`).toBe(true)
}

describe('Dockerfile', () => {
  test('copies only what is in the repository and let through by .dockerignore', () => {
    const sources = stages.flatMap(copies).filter(({ from }) => from === null)
    const names = [...new Set(sources.flatMap((copy) => copy.sources))]
    for (const name of names)
      expect(existsSync(join(REPOSITORY, name)), `${name} exists`).toBe(true)
    const lines = read('.dockerignore').split('\n')
    const letThrough = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(lines.find((line) => line && !line.startsWith('#'))).toBe('*')
    expect(letThrough.sort()).toEqual(names.sort())
  })

  test('runs only npm scripts that exist', () => {
    const scripts = all(build, 'RUN').flatMap((run) =>
      [...run.matchAll(/npm run (\S+)/g)].map((match) => match[1] ?? ''),
    )
    expect(scripts).toContain('prepare')
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts))
  })

  test('starts a file that the build makes, as somebody else than root', () => {
    const [program, file, ...rest] = execForm(all(runtime, 'CMD').at(-1) ?? '')
    expect([program, ...rest]).toEqual(['node'])
    expectBuilt(file)
    expect(all(runtime, 'USER')).toEqual(['node'])
    expect(all(runtime, 'EXPOSE')).toEqual(['4000'])
  })

  test('puts everything into the image that the sources open by name', () => {
    const inImage = copies(runtime).flatMap(({ sources }) =>
      sources.map((source) => source.replace(/^\/app\//, '')),
    )
    expect(inImage).toEqual(expect.arrayContaining(['node_modules', 'dist', 'package.json']))
    const opened = openedByName()
    expect(opened).toContain('assets/word-vectors.bin')
    const missing = opened.filter((path) => !inImage.some((copied) => isWithin(path, copied)))
    expect(missing).toEqual([])
  })

  test.each([
    ['healthy', 200, 0],
    ['unhealthy', 503, 1],
  ])('has a health check that finds a server %s', async (_, status, exitCode) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/health' ? status : 500).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    try {
      expect(await runHealthCheck(port)).toBe(exitCode)
    } finally {
      server.close()
      await once(server, 'close')
    }
  })

  test('has a health check that finds no server', async () => {
    // Port 1 needs privileges nothing here has a use for.
    expect(await runHealthCheck(1)).toBe(1)
  })
})

const ours = Object.entries(compose.services).filter(([, entry]) => entry.build !== undefined)

describe('docker-compose.yml', () => {
  test('has a database with pgvector, an API and a worker', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['api', 'postgres', 'worker'])
    expect(compose.services.postgres?.image).toMatch(/^pgvector\/pgvector:pg\d+$/)
    expect(ours.map(([name]) => name).sort()).toEqual(['api', 'worker'])
  })

  test.each(ours)('starts %s as the npm script of that name does', (name, { command = [] }) => {
    expect(command.join(' ')).toBe(manifest.scripts[name])
    expectBuilt(command[1])
    expect(read('src/main.ts')).toContain(`'${name}'`)
  })

  test.each(ours)(
    'connects %s to the database once that is healthy',
    (_, { environment, depends_on }) => {
      const { postgres } = compose.services
      const url = new URL(environment.DATABASE_URL ?? '')
      expect({
        user: url.username,
        password: url.password,
        database: url.pathname.slice(1),
      }).toEqual({
        user: postgres?.environment.POSTGRES_USER,
        password: postgres?.environment.POSTGRES_PASSWORD,
        database: postgres?.environment.POSTGRES_DB,
      })
      expect(Object.keys(compose.services)).toContain(url.hostname)
      expect(depends_on[url.hostname]).toEqual({ condition: 'service_healthy' })
      expect(postgres?.healthcheck?.test?.slice(0, 2)).toEqual(['CMD', 'pg_isready'])
    },
  )

  test('does not start the API without keys, and publishes no other port', () => {
    expect(compose.services.api?.environment.ENGRAM_API_KEYS).toMatch(
      /^\$\{ENGRAM_API_KEYS:\?.+\}$/,
    )
    const [, image = ''] = /(?:^| )ENGRAM_PORT=(\d+)/.exec(all(runtime, 'ENV').join(' ')) ?? []
    expect(compose.services.api?.ports).toEqual([`127.0.0.1:${image}:${image}`])
    expect(compose.services.postgres?.ports).toEqual([])
    expect(compose.services.worker?.ports).toEqual([])
  })

  test('declares the volumes it mounts', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes }) =>
      volumes.map((volume) => volume.split(':')[0]),
    )
    expect(mounted.sort()).toEqual(Object.keys(compose.volumes).sort())
  })
})

test('both set only what the configuration reads', () => {
  const set = [
    ...ours.flatMap(([, { environment }]) => Object.keys(environment)),
    ...all(runtime, 'ENV').flatMap((env) =>
      [...env.matchAll(/(\w+)=/g)].map((match) => match[1] ?? ''),
    ),
  ].filter((name) => name !== 'NODE_ENV')
  expect(set).toContain('ENGRAM_HOST')
  const config = read('src/config.ts')
  expect(set.filter((name) => !config.includes(name))).toEqual([])
})

/** Paths outside src/ that some source holds as a string. */
function openedByName(): string[] {
  const path =
    /['"`](?:(?:\.\.\/)+|\.\/)?((?:prisma|assets|scripts|demo|bench|test)\/[\w./-]+|schema\.graphql|package\.json)['"`]/g
  const sources = readdirSync(join(REPOSITORY, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('generated/'))
    .map((file) => read(`src/${file}`))
  return [...new Set(sources.flatMap((text) => [...text.matchAll(path)].map((m) => m[1] ?? '')))]
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}

async function runHealthCheck(port: number): Promise<number | null> {
  const [program = '', ...rest] = execForm(all(runtime, 'HEALTHCHECK').at(-1) ?? '')
  expect(program).toBe('node')
  const child = spawn(process.execPath, rest, { env: { ENGRAM_PORT: String(port) } })
  await once(child, 'exit')
  return child.exitCode
}
