import type { z } from 'zod'
import type { ValidationIssue } from '../../lib/errors.ts'
import { zodIssues } from '../../lib/validation.ts'
import {
  BANK_CONFIG_KEYS,
  type BankConfig,
  type BankConfigKey,
  bankConfigKeys,
} from './bank-config.ts'

/** What a bank overrides: values that have passed `checkOverrides`. */
export type BankConfigOverrides = Partial<BankConfig>

/** The documented defaults. */
export const fallbackConfig: BankConfig = fromKeys((key) => bankConfigKeys[key].fallback)

/** Each value alone: type and range. `undefined` keys are left out, null stays to clear an override. */
export function checkValues(
  patch: Readonly<Record<string, unknown>>,
  at: readonly string[],
): { readonly values: Record<string, unknown>; readonly issues: ValidationIssue[] } {
  const values: Record<string, unknown> = {}
  const issues: ValidationIssue[] = []
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue
    if (!isConfigKey(key)) {
      issues.push({ path: [...at, key], message: 'is no configuration key', code: 'UNKNOWN_KEY' })
    } else if (value === null) {
      values[key] = null
    } else {
      const result = (bankConfigKeys[key].schema as z.ZodType).safeParse(value)
      if (result.success) values[key] = result.data
      else issues.push(...zodIssues(result.error, [...at, key]))
    }
  }
  return { values, issues }
}

/** Values against each other, after a change. A key whose own value is wrong is not judged again. */
export function checkTogether(config: BankConfig, at: readonly string[]): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const report = (key: BankConfigKey, message: string) =>
    void issues.push({ path: [...at, key], message, code: 'INCONSISTENT' })
  if (config.recallBudgetMin > config.recallBudgetMax) {
    report('recallBudgetMin', `is above recallBudgetMax (${config.recallBudgetMax})`)
  }
  const strategies = Object.keys(config.retainStrategies ?? {})
  if (config.retainDefaultStrategy !== null && !strategies.includes(config.retainDefaultStrategy)) {
    report('retainDefaultStrategy', 'names none of retainStrategies')
  }
  if (config.retainExtractionMode === 'CUSTOM' && config.retainCustomInstructions === null) {
    report('retainExtractionMode', 'CUSTOM needs retainCustomInstructions')
  }
  return issues
}

/** A bank's values over the server's. A stored value that has become invalid falls back, so that it never wedges the bank. */
export function resolveConfig(
  defaults: BankConfig,
  overrides: unknown,
  onInvalid: (issues: readonly ValidationIssue[]) => void = () => {},
): BankConfig {
  const { values, issues } = checkValues(isRecord(overrides) ? overrides : {}, [])
  if (issues.length > 0) onInvalid(issues)
  const valid = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  return { ...defaults, ...valid }
}

function isConfigKey(key: string): key is BankConfigKey {
  return Object.hasOwn(bankConfigKeys, key)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fromKeys(fallbackOf: (key: BankConfigKey) => unknown): BankConfig {
  return Object.fromEntries(BANK_CONFIG_KEYS.map((key) => [key, fallbackOf(key)])) as BankConfig
}
