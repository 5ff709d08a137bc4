import { builder } from '../../graphql/builder.ts'
import type { BankConfig } from './bank-config.ts'
import { EntityLabelInput, EntityLabelRef } from './entity-labels.schema.ts'
import { MentalModelTriggerInput, MentalModelTriggerRef } from './trigger.schema.ts'
import { resolveTrigger } from './trigger.ts'

const ExtractionMode = builder.enumType('ExtractionMode', {
  description: 'How selectively retain extracts facts.',
  values: {
    CONCISE: { description: 'Only what is worth remembering.' },
    VERBOSE: { description: 'Everything, in detail.' },
    CUSTOM: { description: "By the bank's own instructions." },
    VERBATIM: { description: 'One fact a chunk, word for word.' },
    CHUNKS: { description: 'One fact a chunk, without a model.' },
  } as const,
})
const BudgetFunction = builder.enumType('BudgetFunction', {
  description: 'How a budget becomes a number of candidates.',
  values: {
    FIXED: { description: 'A fixed number a level.' },
    ADAPTIVE: { description: 'In proportion to maxTokens.' },
  } as const,
})

interface ReflectDefaults {
  readonly reflectSearchObservationsMaxTokens: number
  readonly reflectSearchObservationsIncludeEntities: boolean
}
const ReflectDefaultOptions = builder
  .objectRef<ReflectDefaults>('ReflectDefaultOptions')
  .implement({
    description: 'What reflect uses when a request says nothing.',
    fields: (t) => ({
      reflectSearchObservationsMaxTokens: t.exposeInt('reflectSearchObservationsMaxTokens', {
        description: 'Tokens of one search of observations.',
      }),
      reflectSearchObservationsIncludeEntities: t.exposeBoolean(
        'reflectSearchObservationsIncludeEntities',
        { description: 'Entity names with each observation.' },
      ),
    }),
  })
const ReflectDefaultOptionsInput = builder.inputType('ReflectDefaultOptionsInput', {
  description: 'What reflect uses when a request says nothing.',
  fields: (t) => ({
    reflectSearchObservationsMaxTokens: t.int({
      description: 'Tokens of one search of observations.',
    }),
    reflectSearchObservationsIncludeEntities: t.boolean({
      description: 'Entity names with each observation.',
    }),
  }),
})

/** One row a key: its kind, whether it may be null, what it means. The input type mirrors the output type. */
const KEYS = {
  retainMission: ['String', true, 'What extraction should pay attention to.'],
  retainCustomInstructions: [
    'String',
    true,
    'Extraction rules in place of the built-in ones, for CUSTOM.',
  ],
  retainChunkSize: ['Int', false, 'Largest chunk, in characters.'],
  retainStrategies: ['JSON', true, 'Named sets of retain keys that an item can choose.'],
  retainDefaultStrategy: ['String', true, 'The strategy of items that choose none.'],
  entitiesAllowFreeForm: ['Boolean', false, 'Entities beside the labels.'],
  storeDocumentText: ['Boolean', false, 'Keep the text of documents and chunks.'],
  enableObservations: ['Boolean', false, 'Consolidate facts into observations.'],
  enableAutoConsolidation: ['Boolean', false, 'Consolidate after each write, not only when asked.'],
  observationsMission: ['String', true, 'What to consolidate, in place of the built-in rules.'],
  consolidationLlmBatchSize: ['Int', false, 'Facts a consolidation call.'],
  consolidationSourceFactsMaxTokens: ['Int', false, 'Tokens of source facts a call; -1: no limit.'],
  consolidationSourceFactsMaxTokensPerObservation: [
    'Int',
    false,
    'The same for one observation; -1: no limit.',
  ],
  maxObservationsPerScope: ['Int', false, 'Observations a scope may have; -1: no limit.'],
  observationScopeLimits: ['JSON', true, 'Limits for scopes by pattern, first match wins.'],
  reflectMission: ['String', true, 'Who reflect is, in the first person.'],
  dispositionSkepticism: ['Int', false, '1 trusts claims, 5 doubts them.'],
  dispositionLiteralism: ['Int', false, '1 reads between the lines, 5 takes things as stated.'],
  dispositionEmpathy: ['Int', false, '1 is detached, 5 weighs feelings.'],
  mentalModelMinRefreshIntervalSeconds: [
    'Int',
    false,
    'Shortest time between automatic refreshes of a model.',
  ],
  recallIncludeChunks: ['Boolean', false, 'Chunks in recalls inside reflect.'],
  recallMaxTokens: ['Int', false, 'Tokens of recalls inside reflect.'],
  recallChunksMaxTokens: ['Int', false, 'Tokens of their chunks.'],
  recallBudgetFixedLow: ['Int', false, 'Candidates an arm at LOW.'],
  recallBudgetFixedMid: ['Int', false, 'Candidates an arm at MID.'],
  recallBudgetFixedHigh: ['Int', false, 'Candidates an arm at HIGH.'],
  recallBudgetAdaptiveLow: ['Float', false, 'Candidates a token at LOW.'],
  recallBudgetAdaptiveMid: ['Float', false, 'Candidates a token at MID.'],
  recallBudgetAdaptiveHigh: ['Float', false, 'Candidates a token at HIGH.'],
  recallBudgetMin: ['Int', false, 'Least candidates when adaptive.'],
  recallBudgetMax: ['Int', false, 'Most candidates when adaptive.'],
  enableTemporalRetrieval: ['Boolean', false, 'The temporal arm.'],
  enableGraphRetrieval: ['Boolean', false, 'The graph arm.'],
  enableReranking: ['Boolean', false, 'The reranker, where one is configured.'],
  outputLanguage: ['String', true, 'Language of all that is written; unset: that of the source.'],
  llmGeminiSafetySettings: ['JSON', true, 'Safety settings for Gemini.'],
} as const satisfies Partial<
  Record<
    keyof BankConfig,
    readonly ['String' | 'Int' | 'Float' | 'Boolean' | 'JSON', boolean, string]
  >
>

type Row = (typeof KEYS)[keyof typeof KEYS]
const rows = Object.entries(KEYS) as [keyof typeof KEYS, Row][]

export const BankConfigRef = builder.objectRef<BankConfig>('BankConfig').implement({
  description: "A bank's configuration: the server's defaults with the bank's overrides over them.",
  fields: (t) => ({
    ...Object.fromEntries(
      rows.map(([key, [type, nullable, description]]) => [
        key,
        t.field({ type, nullable, description, resolve: (config): never => config[key] as never }),
      ]),
    ),
    retainExtractionMode: t.field({
      type: ExtractionMode,
      description: 'How selective extraction is.',
      resolve: (config) => config.retainExtractionMode,
    }),
    entityLabels: t.field({
      type: [EntityLabelRef],
      description: 'The controlled vocabulary.',
      resolve: (config) => [...config.entityLabels],
    }),
    reflectDefaultOptions: t.field({
      type: ReflectDefaultOptions,
      description: 'What reflect uses when a request says nothing.',
      resolve: (config) => config.reflectDefaultOptions,
    }),
    knowledgePageDefaultTrigger: t.field({
      type: MentalModelTriggerRef,
      description: 'Trigger of knowledge pages that set none.',
      resolve: (config) => resolveTrigger(config.knowledgePageDefaultTrigger),
    }),
    recallBudgetFunction: t.field({
      type: BudgetFunction,
      description: 'How a budget becomes a number of candidates.',
      resolve: (config) => config.recallBudgetFunction,
    }),
    mcpEnabledTools: t.stringList({
      nullable: true,
      description: 'MCP tools that may be called; null: all.',
      resolve: (config) => config.mcpEnabledTools,
    }),
  }),
})

export const BankConfigInput = builder.inputType('BankConfigInput', {
  description: 'Keys to override. Absent: as it is. Null: back to the default.',
  fields: (t) => ({
    ...Object.fromEntries(
      rows.map(([key, [type, , description]]) => [key, t.field({ type, description })]),
    ),
    retainExtractionMode: t.field({
      type: ExtractionMode,
      description: 'How selective extraction is.',
    }),
    entityLabels: t.field({ type: [EntityLabelInput], description: 'The controlled vocabulary.' }),
    reflectDefaultOptions: t.field({
      type: ReflectDefaultOptionsInput,
      description: 'What reflect uses when a request says nothing.',
    }),
    knowledgePageDefaultTrigger: t.field({
      type: MentalModelTriggerInput,
      description: 'Trigger of knowledge pages that set none.',
    }),
    recallBudgetFunction: t.field({
      type: BudgetFunction,
      description: 'How a budget becomes a number of candidates.',
    }),
    mcpEnabledTools: t.stringList({ description: 'MCP tools that may be called; null: all.' }),
  }),
})
