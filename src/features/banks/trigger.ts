import { CronExpressionParser } from 'cron-parser'
import { z } from 'zod'
import { type TagGroup, validateTagFilter } from '../../lib/tag-filter.ts'
import { tagGroupsSchema } from './tag-groups.ts'

/**
 * When and how a mental model is refreshed. It stands here, and not with the mental models, because a bank's
 * configuration holds a default for knowledge pages.
 */
const MAX_EXCLUDED = 100

/** Five fields exactly: the parser alone would accept three, six, and other systems' extensions. Throws for anything else. */
export function checkCron(expression: string): void {
  if (expression.trim().split(/\s+/).length !== 5) throw new Error('needs exactly five fields')
  if (!/^[\d\s*,/A-Za-z-]+$/.test(expression) || /\bH\b/i.test(expression))
    throw new Error('is no cron expression')
  CronExpressionParser.parse(expression, { tz: 'UTC' })
}

const cronSchema = z
  .string()
  .max(200)
  .superRefine((value, context) => {
    try {
      checkCron(value)
    } catch (error) {
      const message = error instanceof Error ? error.message : 'is no cron expression'
      context.addIssue({ code: 'custom', message, params: { code: 'INVALID_CRON' } })
    }
  })

const timeZoneSchema = z.string().max(100).refine(isTimeZone, 'is no IANA time zone')

function isTimeZone(name: string): boolean {
  try {
    return (
      /^[A-Za-z]/.test(name) &&
      new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
    )
  } catch {
    return false
  }
}

/** JSON Schemas of answers: an object with a non-empty properties map; the whole rule set is checked where one is used. */
const responseSchema = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 50_000, 'is too large')

const keys = {
  mode: z.enum(['FULL', 'DELTA']),
  budget: z.enum(['LOW', 'MID', 'HIGH']),
  refreshAfterConsolidation: z.boolean(),
  refreshCron: cronSchema.nullable(),
  fullRefreshCron: cronSchema.nullable(),
  refreshTimeZone: timeZoneSchema,
  minRefreshIntervalSeconds: z.int().min(0).max(31_536_000).nullable(),
  tagsMatch: z.enum(['ANY', 'ALL', 'ANY_STRICT', 'ALL_STRICT', 'EXACT']).nullable(),
  tagGroups: tagGroupsSchema.nullable(),
  factTypes: z
    .array(z.enum(['WORLD', 'EXPERIENCE', 'OBSERVATION']))
    .min(1)
    .max(3)
    .nullable(),
  excludeMentalModels: z.boolean(),
  excludeMentalModelIds: z.array(z.string().min(1).max(64)).max(MAX_EXCLUDED),
  includeChunks: z.boolean().nullable(),
  recallMaxTokens: z.int().min(0).max(200_000).nullable(),
  recallChunksMaxTokens: z.int().min(0).max(200_000).nullable(),
  reflectSearchObservationsMaxTokens: z.int().min(1).max(100_000).nullable(),
  reflectSearchObservationsIncludeEntities: z.boolean().nullable(),
  responseSchema: responseSchema.nullable(),
  keepTrace: z.boolean(),
}

/** Only the keys that were set. Exclusion between keys is checked after a patch has been applied. */
export const mentalModelTriggerSchema = z
  .strictObject(keys)
  .partial()
  .superRefine((trigger, context) => {
    if (trigger.refreshAfterConsolidation && trigger.refreshCron) {
      context.addIssue({
        code: 'custom',
        path: ['refreshCron'],
        message: 'cannot stand beside refreshAfterConsolidation',
        params: { code: 'TRIGGER_CONFLICT' },
      })
    }
    const groups = trigger.tagGroups as TagGroup[] | null | undefined
    if (!groups) return
    for (const issue of validateTagFilter({ tags: null, tagsMatch: 'ANY', tagGroups: groups })) {
      context.addIssue({
        code: 'custom',
        path: issue.path,
        message: issue.message,
        params: { code: issue.code },
      })
    }
  })

export type StoredTrigger = z.output<typeof mentalModelTriggerSchema>

/** Every key with its value: what a plain mental model has unless told otherwise. */
export type MentalModelTrigger = Required<StoredTrigger>

export const TRIGGER_DEFAULTS: MentalModelTrigger = {
  mode: 'FULL',
  budget: 'MID',
  refreshAfterConsolidation: false,
  refreshCron: null,
  fullRefreshCron: null,
  refreshTimeZone: 'UTC',
  minRefreshIntervalSeconds: null,
  tagsMatch: null,
  tagGroups: null,
  factTypes: null,
  excludeMentalModels: false,
  excludeMentalModelIds: [],
  includeChunks: null,
  recallMaxTokens: null,
  recallChunksMaxTokens: null,
  reflectSearchObservationsMaxTokens: null,
  reflectSearchObservationsIncludeEntities: null,
  responseSchema: null,
  keepTrace: false,
}

export function resolveTrigger(stored: unknown): MentalModelTrigger {
  const result = mentalModelTriggerSchema.safeParse(stored)
  return { ...TRIGGER_DEFAULTS, ...(result.success ? result.data : {}) }
}
