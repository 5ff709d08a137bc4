import type { z } from 'zod'
import { ValidationError, type ValidationIssue } from './errors.ts'

/**
 * Parses an input, or throws ValidationError naming every problem with its path below `at`.
 * Codes: REQUIRED, WRONG_TYPE, OUT_OF_RANGE, UNKNOWN_KEY, INVALID, or what a custom check set as `params.code`.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  at: readonly string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new ValidationError(zodIssues(result.error, at))
}

export function zodIssues(error: z.ZodError, at: readonly string[] = []): ValidationIssue[] {
  return error.issues.map((issue) => ({
    path: [...at, ...issue.path.map(String)],
    message: issue.message,
    code: codeOf(issue),
  }))
}

function codeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'REQUIRED' : 'WRONG_TYPE'
    case 'too_small':
    case 'too_big':
    case 'not_multiple_of':
      return 'OUT_OF_RANGE'
    case 'unrecognized_keys':
      return 'UNKNOWN_KEY'
    case 'custom':
      return typeof issue.params?.code === 'string' ? issue.params.code : 'INVALID'
    default:
      return 'INVALID'
  }
}
