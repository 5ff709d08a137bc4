import { builder } from '../../graphql/builder.ts'
import { TagGroupInput, TagsMatchEnum } from './tags.schema.ts'
import type { MentalModelTrigger } from './trigger.ts'

export const RefreshModeEnum = builder.enumType('RefreshMode', {
  description: 'How a refresh writes.',
  values: {
    FULL: { description: 'The document anew.' },
    DELTA: { description: 'Edits by what became known.' },
  } as const,
})
export const BudgetEnum = builder.enumType('Budget', {
  description: 'How deep to search.',
  values: {
    LOW: { description: 'Quick.' },
    MID: { description: 'Balanced.' },
    HIGH: { description: 'Thorough.' },
  } as const,
})
export const FactTypeEnum = builder.enumType('FactType', {
  description: 'Kinds of memory.',
  values: {
    WORLD: { description: 'A fact about the world.' },
    EXPERIENCE: { description: "What the memory's owner did or said." },
    OBSERVATION: { description: 'A statement derived from facts.' },
  } as const,
})

const KEYS = {
  refreshAfterConsolidation: [
    'Boolean',
    false,
    'Refresh after a consolidation that touched its scope.',
  ],
  refreshCron: ['String', true, 'Refresh by this cron expression of five fields, when stale.'],
  fullRefreshCron: ['String', true, 'Refresh in full by this cron expression.'],
  refreshTimeZone: ['String', false, 'IANA name of the zone in which both crons are read.'],
  minRefreshIntervalSeconds: [
    'Int',
    true,
    "Shortest time between automatic refreshes; null: the bank's.",
  ],
  excludeMentalModels: ['Boolean', false, 'Read no other mental models.'],
  includeChunks: ['Boolean', true, "Chunks in its recalls; null: the bank's setting."],
  recallMaxTokens: ['Int', true, "Tokens of its recalls; null: the bank's setting."],
  recallChunksMaxTokens: ['Int', true, "Tokens of their chunks; null: the bank's setting."],
  reflectSearchObservationsMaxTokens: [
    'Int',
    true,
    'Tokens of one search of observations; null: 5000.',
  ],
  reflectSearchObservationsIncludeEntities: [
    'Boolean',
    true,
    'Entity names with observations; null: yes.',
  ],
  responseSchema: ['JSON', true, 'JSON Schema of its structured output.'],
  keepTrace: ['Boolean', false, 'Keep the trace of the latest refresh.'],
} as const satisfies Partial<
  Record<
    keyof MentalModelTrigger,
    readonly ['String' | 'Int' | 'Boolean' | 'JSON', boolean, string]
  >
>

type Row = (typeof KEYS)[keyof typeof KEYS]
const rows = Object.entries(KEYS) as [keyof typeof KEYS, Row][]
const MODE = 'How a refresh writes.'
const BUDGET = 'How deep a refresh searches.'
const MATCH = 'How its tags select memories; null: ALL_STRICT with tags, else ANY.'
const TYPES = 'Kinds of memory it reads; null: all.'
const GROUPS = 'Replaces its tags as the scope of memories.'
const EXCLUDED = 'Mental models it does not read.'

export const MentalModelTriggerRef = builder
  .objectRef<MentalModelTrigger>('MentalModelTrigger')
  .implement({
    description: 'When and how a mental model is refreshed.',
    fields: (t) => ({
      ...Object.fromEntries(
        rows.map(([key, [type, nullable, description]]) => [
          key,
          t.field({
            type,
            nullable,
            description,
            resolve: (trigger): never => trigger[key] as never,
          }),
        ]),
      ),
      mode: t.field({ type: RefreshModeEnum, description: MODE, resolve: ({ mode }) => mode }),
      budget: t.field({ type: BudgetEnum, description: BUDGET, resolve: ({ budget }) => budget }),
      tagsMatch: t.field({
        type: TagsMatchEnum,
        nullable: true,
        description: MATCH,
        resolve: ({ tagsMatch }) => tagsMatch,
      }),
      tagGroups: t.field({
        type: 'JSON',
        nullable: true,
        description: GROUPS,
        resolve: ({ tagGroups }) => tagGroups,
      }),
      factTypes: t.field({
        type: [FactTypeEnum],
        nullable: true,
        description: TYPES,
        resolve: ({ factTypes }) => factTypes,
      }),
      excludeMentalModelIds: t.stringList({
        description: EXCLUDED,
        resolve: (trigger) => trigger.excludeMentalModelIds,
      }),
    }),
  })

export const MentalModelTriggerInput = builder.inputType('MentalModelTriggerInput', {
  description: 'Keys to set. Absent: as it is. Null: back to the default.',
  fields: (t) => ({
    ...Object.fromEntries(
      rows.map(([key, [type, , description]]) => [key, t.field({ type, description })]),
    ),
    mode: t.field({ type: RefreshModeEnum, description: MODE }),
    budget: t.field({ type: BudgetEnum, description: BUDGET }),
    tagsMatch: t.field({ type: TagsMatchEnum, description: MATCH }),
    tagGroups: t.field({ type: [TagGroupInput], description: GROUPS }),
    factTypes: t.field({ type: [FactTypeEnum], description: TYPES }),
    excludeMentalModelIds: t.stringList({ description: EXCLUDED }),
  }),
})
