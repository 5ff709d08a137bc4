import type { ValidationIssue } from '../../lib/errors.ts'
import { BANK_CONFIG_KEYS, type BankConfig, configVariable } from './bank-config.ts'
import { checkTogether, checkValues, fallbackConfig } from './bank-config-rules.ts'

/** A default set by a variable is wrong; every one that is wrong is named. */
export class ServerDefaultsError extends Error {
  override readonly name = 'ServerDefaultsError'
}

/**
 * The server's defaults of the bank configuration: the documented ones, over them what the environment sets. Texts are
 * taken as they stand, everything else is read as JSON; enumerations in any case. Throws ServerDefaultsError.
 */
export function readServerDefaults(
  environment: Readonly<Record<string, string | undefined>>,
): BankConfig {
  const given: Record<string, unknown> = {}
  for (const key of BANK_CONFIG_KEYS) {
    const text = environment[configVariable(key)]
    if (text !== undefined && text !== '') given[key] = readValue(text, fallbackConfig[key])
  }
  const { values, issues } = checkValues(given, [])
  const config = { ...fallbackConfig, ...values } as BankConfig
  const problems = [...issues, ...checkTogether(config, [])]
  if (problems.length > 0) throw new ServerDefaultsError(describe(problems))
  return config
}

function readValue(text: string, fallback: unknown): unknown {
  if (typeof fallback === 'string') return text.toUpperCase()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function describe(problems: readonly ValidationIssue[]): string {
  const lines = problems.map(({ path: [key = '', ...rest], message }) => {
    const known = BANK_CONFIG_KEYS.find((one) => one === key)
    return `  ${known ? configVariable(known) : key}${rest.length > 0 ? ` (${rest.join('.')})` : ''}: ${message}`
  })
  return `The defaults of the bank configuration are wrong:\n${lines.join('\n')}`
}
