import { z } from 'zod'
import { entityLabelsSchema } from './entity-labels.ts'
import { mentalModelTriggerSchema } from './trigger.ts'

const MAX_TEXT = 20_000
const text = z.string().trim().min(1).max(MAX_TEXT)
const count = z.int().min(1)
const unlimitedOr = z.int().min(-1)
const ratio = z.number().positive().max(10)
const disposition = z.int().min(1).max(5)

const EXTRACTION_MODES = ['CONCISE', 'VERBOSE', 'CUSTOM', 'VERBATIM', 'CHUNKS'] as const
const MCP_TOOLS_MAX = 100
const STRATEGIES_MAX = 50

/** Keys that a retain strategy may override. */
const strategySchema = z.strictObject({
  retainMission: text.nullable().optional(),
  retainExtractionMode: z.enum(EXTRACTION_MODES).optional(),
  retainCustomInstructions: text.nullable().optional(),
  retainChunkSize: z.int().min(1).max(50_000).optional(),
  entityLabels: entityLabelsSchema.optional(),
  entitiesAllowFreeForm: z.boolean().optional(),
})

const scopeLimitSchema = z.strictObject({
  scope: z.array(z.string().min(1).max(256)).min(1).max(20),
  limit: unlimitedOr,
})

/**
 * Every key of a bank's configuration: what it may be, and what it is unless the server or the bank says otherwise.
 * Limits and defaults are those of the documentation. Chunk sizes are in characters, everything `…Tokens` in tokens.
 */
export const bankConfigKeys = {
  retainMission: { schema: text.nullable(), fallback: null },
  retainExtractionMode: { schema: z.enum(EXTRACTION_MODES), fallback: 'CONCISE' },
  retainCustomInstructions: { schema: text.nullable(), fallback: null },
  retainChunkSize: { schema: z.int().min(1).max(50_000), fallback: 3_000 },
  retainStrategies: {
    schema: z
      .record(z.string().trim().min(1).max(100), strategySchema)
      .refine((value) => Object.keys(value).length <= STRATEGIES_MAX, `at most ${STRATEGIES_MAX}`)
      .nullable(),
    fallback: null,
  },
  retainDefaultStrategy: { schema: z.string().trim().min(1).max(100).nullable(), fallback: null },
  entityLabels: { schema: entityLabelsSchema, fallback: [] },
  entitiesAllowFreeForm: { schema: z.boolean(), fallback: true },
  storeDocumentText: { schema: z.boolean(), fallback: true },
  enableObservations: { schema: z.boolean(), fallback: true },
  enableAutoConsolidation: { schema: z.boolean(), fallback: true },
  observationsMission: { schema: text.nullable(), fallback: null },
  consolidationLlmBatchSize: { schema: count.max(100), fallback: 8 },
  consolidationSourceFactsMaxTokens: { schema: unlimitedOr, fallback: -1 },
  consolidationSourceFactsMaxTokensPerObservation: { schema: unlimitedOr, fallback: 256 },
  maxObservationsPerScope: { schema: unlimitedOr, fallback: -1 },
  observationScopeLimits: { schema: z.array(scopeLimitSchema).max(100).nullable(), fallback: null },
  reflectMission: { schema: text.nullable(), fallback: null },
  reflectDefaultOptions: {
    schema: z.strictObject({
      reflectSearchObservationsMaxTokens: z.int().min(1).max(100_000).default(5_000),
      reflectSearchObservationsIncludeEntities: z.boolean().default(true),
    }),
    fallback: {
      reflectSearchObservationsMaxTokens: 5_000,
      reflectSearchObservationsIncludeEntities: true,
    },
  },
  dispositionSkepticism: { schema: disposition, fallback: 3 },
  dispositionLiteralism: { schema: disposition, fallback: 3 },
  dispositionEmpathy: { schema: disposition, fallback: 3 },
  mentalModelMinRefreshIntervalSeconds: { schema: z.int().min(0).max(31_536_000), fallback: 0 },
  knowledgePageDefaultTrigger: {
    schema: mentalModelTriggerSchema,
    fallback: {
      mode: 'DELTA',
      factTypes: ['OBSERVATION'],
      excludeMentalModels: true,
      refreshAfterConsolidation: true,
    },
  },
  recallIncludeChunks: { schema: z.boolean(), fallback: true },
  recallMaxTokens: { schema: z.int().min(0).max(200_000), fallback: 2_048 },
  recallChunksMaxTokens: { schema: z.int().min(0).max(200_000), fallback: 1_000 },
  recallBudgetFunction: { schema: z.enum(['FIXED', 'ADAPTIVE']), fallback: 'FIXED' },
  recallBudgetFixedLow: { schema: count.max(10_000), fallback: 100 },
  recallBudgetFixedMid: { schema: count.max(10_000), fallback: 300 },
  recallBudgetFixedHigh: { schema: count.max(10_000), fallback: 1_000 },
  recallBudgetAdaptiveLow: { schema: ratio, fallback: 0.025 },
  recallBudgetAdaptiveMid: { schema: ratio, fallback: 0.075 },
  recallBudgetAdaptiveHigh: { schema: ratio, fallback: 0.25 },
  recallBudgetMin: { schema: count.max(10_000), fallback: 20 },
  recallBudgetMax: { schema: count.max(10_000), fallback: 2_000 },
  enableTemporalRetrieval: { schema: z.boolean(), fallback: true },
  enableGraphRetrieval: { schema: z.boolean(), fallback: true },
  enableReranking: { schema: z.boolean(), fallback: true },
  outputLanguage: { schema: z.string().trim().min(1).max(100).nullable(), fallback: null },
  mcpEnabledTools: {
    schema: z.array(z.string().trim().min(1).max(100)).max(MCP_TOOLS_MAX).nullable(),
    fallback: null,
  },
  llmGeminiSafetySettings: {
    schema: z
      .array(
        z.strictObject({
          category: z.string().min(1).max(100),
          threshold: z.string().min(1).max(100),
        }),
      )
      .max(50)
      .nullable(),
    fallback: null,
  },
} as const satisfies Record<string, { schema: z.ZodType; fallback: unknown }>

export type BankConfigKey = keyof typeof bankConfigKeys

/** All keys with their values: the server's defaults with a bank's overrides over them. */
export type BankConfig = {
  readonly [Key in BankConfigKey]: z.output<(typeof bankConfigKeys)[Key]['schema']>
}

export const BANK_CONFIG_KEYS = Object.keys(bankConfigKeys) as readonly BankConfigKey[]

/** `retainChunkSize` is set by `ENGRAM_RETAIN_CHUNK_SIZE`. */
export function configVariable(key: BankConfigKey): string {
  return `ENGRAM_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
