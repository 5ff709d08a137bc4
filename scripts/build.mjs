// Builds dist/ from src/, and the table of word vectors beside it.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const wordVectors = join(root, 'scripts', 'build-word-vectors.mjs')
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

if (existsSync(wordVectors)) run(wordVectors)
// tsc never removes what a renamed source left behind.
rmSync(join(root, 'dist'), { recursive: true, force: true })
run(compiler, '-p', join(root, 'tsconfig.json'))

function run(script, ...args) {
  const { status, signal } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (signal) console.error(`${script} was ended by ${signal}`)
  if (status !== 0) process.exit(status ?? 1)
}
