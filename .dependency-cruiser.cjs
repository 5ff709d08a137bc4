// Who may import whom (DESIGN.md, section 2), checked by `npm run depcheck` and by test/conformance/dependencies.test.ts.

/** Each room may import itself and the rooms before it. */
const ROOMS = [
  ['lib', '^src/lib/'],
  ['platform', '^src/platform/'],
  ['graphql', '^src/graphql/'],
  ['features', '^src/features/'],
  ['schema', '^src/schema\\.ts$'],
  ['server', '^src/server/'],
  ['app', '^src/app\\.ts$'],
  ['main', '^src/main\\.ts$'],
]

const GRAPHQL_PACKAGES = [
  '^node_modules/graphql/',
  '^node_modules/graphql-[a-z-]+/',
  '^node_modules/@pothos/',
  '^node_modules/@envelop/',
  '^node_modules/@escape\\.tech/',
]
const GRAPHQL_FILES = [
  '^src/graphql/',
  '^src/features/.+\\.schema\\.ts$',
  '^src/schema\\.ts$',
  '^src/server/',
]
/** Node modules that reach nothing outside the process. */
const PURE_NODE_MODULES =
  '^(node:)?(assert|buffer|crypto|path|querystring|string_decoder|url|util)$'
const IO_PACKAGES =
  '^node_modules/(@electric-sql|@prisma|graphql-ws|graphql-yoga|node-schedule|openai|pg|pglite-prisma-adapter|pino|ws)/'

const arrows = ROOMS.slice(0, -1).map(([name, path], index) => ({
  name: `${name}-points-left`,
  comment: `${name} may not import: ${ROOMS.slice(index + 1)
    .map(([later]) => later)
    .join(', ')}`,
  severity: 'error',
  from: { path },
  to: { path: ROOMS.slice(index + 1).map(([, later]) => later) },
}))

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...arrows,
    rule(
      'lib-knows-no-tables',
      'lib is pure functions; the generated database client belongs to platform and the stores',
      { path: '^src/lib/' },
      { path: '^src/generated/' },
    ),
    rule(
      'lib-does-no-io',
      'lib may use node:crypto and modules that stay inside the process',
      { path: '^src/lib/' },
      { dependencyTypes: ['core'], pathNot: PURE_NODE_MODULES },
    ),
    rule(
      'lib-uses-no-io-package',
      'lib may not reach a database, a network or a log',
      { path: '^src/lib/' },
      { path: IO_PACKAGES },
    ),
    rule(
      'config-is-read-in-one-place',
      'values are passed in; only main.ts and app.ts see the configuration',
      { path: '^src/', pathNot: '^src/(main|app)\\.ts$' },
      { path: '^src/config\\.ts$' },
    ),
    rule(
      'config-knows-no-rooms',
      'the configuration is read before anything exists',
      { path: '^src/config\\.ts$' },
      { path: '^src/', pathNot: '^src/(lib|platform)/' },
    ),
    rule(
      'graphql-packages-stay-at-the-edge',
      'only *.schema.ts, src/graphql, src/schema.ts and src/server know GraphQL',
      { path: '^src/', pathNot: GRAPHQL_FILES },
      { path: GRAPHQL_PACKAGES },
    ),
    rule(
      'rules-know-no-graphql',
      'services, stores, tasks and prompts know nothing of GraphQL',
      { path: '^src/features/', pathNot: '\\.schema\\.ts$' },
      { path: ['^src/graphql/', '^src/features/.+\\.schema\\.ts$'] },
    ),
    rule(
      'stores-are-private',
      'a feature calls another feature through its service',
      { path: '^src/features/([^/]+)/' },
      { path: '^src/features/.+(\\.store\\.ts$|/sql/)', pathNot: '^src/features/$1/' },
    ),
    rule(
      'dashboard-stands-alone',
      'browser code neither imports the server nor is imported by it',
      { path: '^src/dashboard/' },
      { path: '^src/', pathNot: '^src/dashboard/' },
    ),
    rule(
      'nothing-imports-dashboard',
      'browser code neither imports the server nor is imported by it',
      { path: '^src/', pathNot: '^src/dashboard/' },
      { path: '^src/dashboard/' },
    ),
    rule(
      'src-stands-alone',
      'what ships does not depend on what tests, measures or shows it',
      { path: '^src/' },
      { path: '^(test|bench|demo|scripts)/' },
    ),
    rule(
      'src-needs-dependencies-only',
      'an installation without devDependencies must run',
      { path: '^src/' },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule('everything-resolves', 'an import leads nowhere', {}, { couldNotResolve: true }),
    rule(
      'no-cycles',
      'a cycle that is there at run time; types may refer to each other',
      { path: '^src/', pathNot: '^src/generated/' },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
  ],
  options: {
    doNotFollow: { path: ['^node_modules/', '^src/generated/'] },
    exclude: { path: '^dist/' },
    // Imports of types count too: they couple as much as others do.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
}
