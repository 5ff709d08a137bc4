import type { ExtractionInput } from '../ports.ts'
import type { JsonSchemaFormat } from './chat-request.ts'

/**
 * What a model is asked to return for one chunk. Kept within the subset that strict mode enforces: every property
 * required, none additional; absence is the literal `N/A`, or null for dates.
 */
const TEXT = { type: 'string' }
const NULLABLE_TEXT = { type: ['string', 'null'] }

const PLACE_AND_KIND = {
  where: { ...TEXT, description: 'Place, or N/A' },
  who: { ...TEXT, description: 'People and things involved, and how they relate, or N/A' },
  fact_kind: {
    ...TEXT,
    enum: ['event', 'conversation'],
    description: 'event: happened at a time that can be dated; conversation: everything else',
  },
  fact_type: {
    ...TEXT,
    enum: ['world', 'assistant'],
    description: 'assistant: what the assistant itself did or said; world: everything else',
  },
  occurred_start: { ...NULLABLE_TEXT, description: 'ISO 8601, for events only' },
  occurred_end: { ...NULLABLE_TEXT, description: 'ISO 8601, for events only' },
  entities: { type: 'array', items: TEXT, description: 'Names of people, places, things' },
}

const STATEMENT = {
  what: { ...TEXT, description: 'The statement, complete without its surroundings' },
  when: { ...TEXT, description: 'Time in words, or N/A' },
  why: { ...TEXT, description: 'Reason or meaning, or N/A' },
}

const CAUSES = {
  causal_relations: {
    type: 'array',
    description: 'At most 2 earlier facts of this list that caused this one',
    items: closedObject({
      target_index: { type: 'integer', description: '0-based position of the earlier fact' },
      relation_type: { ...TEXT, enum: ['caused_by'] },
    }),
  },
}

const FULL = factList({ ...STATEMENT, ...PLACE_AND_KIND, ...CAUSES })
const VERBATIM = factList(PLACE_AND_KIND)

/** In VERBATIM mode the text is the chunk itself, and the model supplies only what stands beside it. */
export function extractionSchema(mode: ExtractionInput['mode']): JsonSchemaFormat {
  return mode === 'VERBATIM' ? VERBATIM : FULL
}

function factList(properties: Readonly<Record<string, unknown>>): JsonSchemaFormat {
  const facts = { type: 'array', items: closedObject(properties) }
  return { name: 'facts', strict: true, schema: closedObject({ facts }) }
}

function closedObject(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const required = Object.keys(properties)
  return { type: 'object', properties, required, additionalProperties: false }
}
