import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { IConfiguration } from 'dependency-cruiser'
import { expect, test } from 'vitest'
import { cruise, REPOSITORY, RULES } from './cruise.ts'

test('every import in src points the way the design allows', async () => {
  const { offences, sources } = await cruise(REPOSITORY)
  expect(offences).toEqual([])
  expect(sources).toEqual(expect.arrayContaining(['src/platform/db/database.ts']))
})

/** One file for each rule that breaks it, and what it imports to do so. */
const OFFENDERS: readonly (readonly [rule: string, file: string, imports: string])[] = [
  ['lib-points-left', 'src/lib/bad.ts', '../platform/db.ts'],
  ['platform-points-left', 'src/platform/bad.ts', '../features/banks/banks.service.ts'],
  ['graphql-points-left', 'src/graphql/bad.ts', '../features/banks/banks.service.ts'],
  ['features-points-left', 'src/features/banks/bad.ts', '../../server/http.ts'],
  ['schema-points-left', 'src/schema.ts', './server/http.ts'],
  ['server-points-left', 'src/server/bad.ts', '../app.ts'],
  ['app-points-left', 'src/app.ts', './main.ts'],
  ['lib-knows-no-tables', 'src/lib/tables.ts', '../generated/client.ts'],
  ['lib-does-no-io', 'src/lib/files.ts', 'node:fs'],
  ['lib-uses-no-io-package', 'src/lib/sockets.ts', 'ws'],
  ['config-is-read-in-one-place', 'src/server/config-reader.ts', '../config.ts'],
  ['config-knows-no-rooms', 'src/config.ts', './graphql/builder.ts'],
  ['graphql-packages-stay-at-the-edge', 'src/features/banks/banks.task.ts', '@pothos/core'],
  ['rules-know-no-graphql', 'src/features/banks/edge.service.ts', '../../graphql/builder.ts'],
  ['stores-are-private', 'src/features/recall/bad.service.ts', '../banks/banks.store.ts'],
  ['stores-are-private', 'src/features/recall/sql/bad.ts', '../../banks/sql/select.ts'],
  ['dashboard-stands-alone', 'src/dashboard/bad.ts', '../lib/text.ts'],
  ['nothing-imports-dashboard', 'src/server/page.ts', '../dashboard/page.ts'],
  ['src-stands-alone', 'src/platform/tested.ts', '../../test/helper.ts'],
  ['src-needs-dependencies-only', 'src/platform/developed.ts', 'vitest'],
  ['everything-resolves', 'src/platform/lost.ts', './nowhere.ts'],
  ['no-cycles', 'src/platform/cycle-a.ts', './cycle-b.ts'],
]

/** Imports that look like the ones above and are allowed. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/lib/hash.ts': "import 'node:crypto'",
  'src/lib/text.ts': "import type { b } from './type-cycle.ts'\nexport type a = b",
  'src/lib/type-cycle.ts': "import type { a } from './text.ts'\nexport type b = 1 | a[]",
  // The other half of the cycle, which is reported once.
  'src/platform/cycle-b.ts': "import './cycle-a.ts'",
  'src/platform/db.ts': "import 'ws'\nimport 'node:fs'\nimport '../generated/client.ts'",
  'src/platform/typed.ts': "import type { Test } from 'vitest'\nexport type T = Test",
  'src/generated/client.ts': 'export {}',
  'src/graphql/builder.ts': "import '@pothos/core'",
  'src/features/banks/banks.schema.ts': "import '@pothos/core'\nimport './banks.service.ts'",
  'src/features/banks/banks.service.ts': "import './banks.store.ts'",
  'src/features/banks/banks.store.ts': "import './sql/select.ts'",
  'src/features/banks/sql/select.ts': 'export {}',
  'src/features/recall/recall.service.ts': "import '../banks/banks.service.ts'",
  'src/server/http.ts': "import '@pothos/core'",
  'src/main.ts': "import './config.ts'",
  'src/dashboard/page.ts': 'export {}',
  'test/helper.ts': 'export {}',
}

const PACKAGES = { dependencies: ['@pothos/core', 'ws'], devDependencies: ['vitest'] }

test('each rule catches its offender, and nothing that is allowed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'engram-rules-'))
  try {
    await writeProject(directory)
    const { offences } = await cruise(directory)
    const found = offences.map(({ rule, from }) => `${rule}: ${from}`)
    expect(found.sort()).toEqual(OFFENDERS.map(([rule, file]) => `${rule}: ${file}`).sort())
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('no rule is without an offender above', () => {
  const { forbidden = [] } = createRequire(import.meta.url)(RULES) as IConfiguration
  expect(forbidden.length).toBeGreaterThan(0)
  const names = forbidden.map(({ name }) => name)
  expect(names.sort()).toEqual([...new Set(OFFENDERS.map(([rule]) => rule))].sort())
})

async function writeProject(directory: string): Promise<void> {
  const files: Record<string, string> = { ...ALLOWED, 'tsconfig.json': '{}' }
  for (const [, file, imports] of OFFENDERS) files[file] = `import '${imports}'`
  const versions = (names: readonly string[]) => Object.fromEntries(names.map((n) => [n, '1.0.0']))
  files['package.json'] = JSON.stringify({
    type: 'module',
    dependencies: versions(PACKAGES.dependencies),
    devDependencies: versions(PACKAGES.devDependencies),
  })
  for (const name of [...PACKAGES.dependencies, ...PACKAGES.devDependencies]) {
    files[`node_modules/${name}/package.json`] = JSON.stringify({ name, main: 'index.js' })
    files[`node_modules/${name}/index.js`] = ''
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, file)), { recursive: true })
    await writeFile(join(directory, file), text)
  }
}
