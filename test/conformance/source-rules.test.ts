import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { REPOSITORY } from './cruise.ts'
import { scan } from './source-scan.ts'

const MAX_LINES = 400
const MAX_MEDIAN_LINES = 120

const sources = readdirSync(join(REPOSITORY, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path}`)
  .filter((path) => path.endsWith('.ts') && !path.startsWith('src/generated/'))
  .map((path) => {
    const text = readFileSync(join(REPOSITORY, path), 'utf8')
    return { path, lines: text.split('\n').length - 1, findings: scan(text) }
  })

function places(what: string, exempt: readonly string[] = []): string[] {
  return sources
    .filter(({ path }) => !exempt.includes(path))
    .flatMap(({ path, findings }) =>
      findings.filter((finding) => finding.what === what).map(({ line }) => `${path}:${line}`),
    )
}

describe('src', () => {
  test('reads the environment in config.ts only', () => {
    expect(places('environment', ['src/config.ts'])).toEqual([])
  })

  test('never says any', () => {
    expect(places('any')).toEqual([])
  })

  test(`has no file over ${MAX_LINES} lines`, () => {
    const long = sources.filter(({ lines }) => lines > MAX_LINES)
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
  })

  test(`has a median file under ${MAX_MEDIAN_LINES} lines`, () => {
    const lengths = sources.map(({ lines }) => lines).sort((a, b) => a - b)
    expect(lengths.length).toBeGreaterThan(0)
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(MAX_MEDIAN_LINES)
  })
})

describe('the scan behind these rules', () => {
  test.each([
    'process.env',
    'const x = process.env.HOME',
    "process['env']",
    'globalThis.process.env',
    'const { env } = process',
    "import { env } from 'node:process'",
    "import process from 'process'",
  ])('finds the environment in %s', (text) => {
    expect(scan(text)).toEqual([{ line: 1, what: 'environment' }])
  })

  test.each(['let x: any', 'f(x as any)', 'type T = Record<string, any>'])(
    'finds any in %s',
    (text) => {
      expect(scan(`\n${text}`)).toEqual([{ line: 2, what: 'any' }])
    },
  )

  test.each([
    '// any process.env',
    "const x = 'any process.env'",
    'process.exit(1)',
    'const { any } = Promise',
    'process.pid',
  ])('finds nothing in %s', (text) => {
    expect(scan(text)).toEqual([])
  })
})
