// Writes schema.graphql, the public schema as text; with --check only compares, and exits with 1 when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { schema } from '../src/schema.ts'

const path = join(import.meta.dirname, '..', 'schema.graphql')
// Sorted, so that the order in which features are imported never shows as a change.
const text = `${printSchema(lexicographicSortSchema(schema))}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(path, text)
} else if (current() !== text) {
  console.error(
    'schema.graphql is not what src/schema.ts builds. Run "npm run schema" and commit it.',
  )
  process.exitCode = 1
}

function current(): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
