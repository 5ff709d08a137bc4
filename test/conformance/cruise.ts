import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ICruiseResult } from 'dependency-cruiser'

export const REPOSITORY = join(import.meta.dirname, '..', '..')
export const RULES = join(REPOSITORY, '.dependency-cruiser.cjs')
const CLI = join(REPOSITORY, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

export interface Offence {
  readonly rule: string
  readonly from: string
  readonly to: string
}

/** Checks `src` below a directory against the rules of this repository, exactly as `npm run depcheck` does. */
export async function cruise(
  directory: string,
): Promise<{ offences: Offence[]; sources: string[] }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [CLI, 'src', '--config', RULES, '--output-type', 'json'],
    { cwd: directory, maxBuffer: MAX_OUTPUT_BYTES },
  )
  const result = JSON.parse(stdout) as ICruiseResult
  return {
    offences: result.summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
    })),
    sources: result.modules.map(({ source }) => source).filter((path) => path.startsWith('src/')),
  }
}
