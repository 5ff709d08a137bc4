import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Vite would load graphql's ES build for src and Node its CommonJS one for everything else: two realms, two GraphQLErrors.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Processes, not threads: a test may end its own with a signal, and the embedded engine holds a lot of memory.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    bail: 0,
    allowOnly: false,
  },
})
