import { type FoundJson, isRecord, type JsonRecord } from '../../../lib/json-lenient.ts'
import type { ExtractionInput, RawFact } from '../ports.ts'
import { entityNames, factText, factType, isEvent, parseModelDate } from './fact-fields.ts'
import { relativeStart } from './relative-start.ts'

/** Far more than a chunk can hold; a model in a loop reaches it. */
const MAX_FACTS = 500
const MAX_CAUSES = 2
/** Below this share of well-formed facts the whole answer is not trusted. */
const MIN_WELL_FORMED = 0.8

/**
 * Facts out of what findJson found in an answer; null when it cannot be used: no list in it, too many facts, or fewer than 80 % of
 * them well formed. [] only when the model really returned an empty list.
 */
export function parseFacts(
  found: readonly FoundJson[],
  input: ExtractionInput,
): readonly RawFact[] | null {
  const list = firstList(found)
  if (list === null || list.length > MAX_FACTS) return null
  return input.mode === 'VERBATIM' ? verbatimFact(list, input) : statedFacts(list, input)
}

/** The chunk itself as one fact, for VERBATIM and as the whole of CHUNKS. */
export function wholeChunk(input: ExtractionInput): RawFact {
  return {
    text: input.text,
    factType: 'WORLD',
    occurredStart: null,
    occurredEnd: null,
    entities: [],
    causedBy: [],
  }
}

function firstList(found: readonly FoundJson[]): readonly unknown[] | null {
  for (const candidate of found) {
    const list = listIn(candidate)
    if (list !== null) return list
  }
  return null
}

/** `{facts: [...]}`, a bare array, or a single fact. Brackets in prose are none of these. */
function listIn({ value, whole }: FoundJson): readonly unknown[] | null {
  if (isRecord(value)) {
    if (Array.isArray(value.facts)) return value.facts
    return typeof value.what === 'string' || typeof value.text === 'string' ? [value] : null
  }
  if (!Array.isArray(value)) return null
  return whole || value.some(isRecord) ? value : null
}

function isMostlyWellFormed(good: number, all: number): boolean {
  return good >= MIN_WELL_FORMED * all
}

function statedFacts(list: readonly unknown[], input: ExtractionInput): readonly RawFact[] | null {
  const records = list.map((item) => (isRecord(item) ? item : {}))
  const texts = records.map(factText)
  // Causes name positions in the model's own list: its numbering is resolved before facts are left out.
  const positions: (number | null)[] = []
  let kept = 0
  for (const text of texts) positions.push(text === '' ? null : kept++)
  if (!isMostlyWellFormed(kept, list.length)) return null
  return records.flatMap((record, index) => {
    const text = texts[index] ?? ''
    if (text === '') return []
    const causedBy = causesOf(record, index).flatMap((target) => positions[target] ?? [])
    return [
      { ...sharedFields(record, text, input.anchor), causedBy: causedBy.slice(0, MAX_CAUSES) },
    ]
  })
}

function verbatimFact(list: readonly unknown[], input: ExtractionInput): readonly RawFact[] | null {
  const records = list.filter(isRecord)
  if (!isMostlyWellFormed(records.length, list.length)) return null
  const [first] = records
  if (first === undefined) return [wholeChunk(input)]
  const entities = entityNames(records.flatMap((record) => entityNames(record.entities)))
  return [{ ...sharedFields(first, input.text, input.anchor), entities, causedBy: [] }]
}

function sharedFields(
  record: JsonRecord,
  text: string,
  anchor: Date | null,
): Omit<RawFact, 'causedBy'> {
  return {
    text,
    factType: factType(record),
    ...occurrence(record, text, anchor),
    entities: entityNames(record.entities),
  }
}

/** Dates of events only. A missing start is read from relative words; a missing or earlier end is the start. */
function occurrence(
  record: JsonRecord,
  text: string,
  anchor: Date | null,
): Pick<RawFact, 'occurredStart' | 'occurredEnd'> {
  if (!isEvent(record)) return { occurredStart: null, occurredEnd: null }
  const end = parseModelDate(record.occurred_end)
  const start = parseModelDate(record.occurred_start) ?? relativeStart(text, anchor) ?? end
  const isBackwards = start !== null && end !== null && end < start
  return { occurredStart: start, occurredEnd: isBackwards ? start : (end ?? start) }
}

/** Positions of earlier items that the model names as causes, each once. */
function causesOf(record: JsonRecord, index: number): readonly number[] {
  if (!Array.isArray(record.causal_relations)) return []
  const targets = record.causal_relations.flatMap((relation): number[] => {
    if (!isRecord(relation) || relation.relation_type !== 'caused_by') return []
    const target = relation.target_index
    const isEarlier = typeof target === 'number' && Number.isInteger(target)
    return isEarlier && target >= 0 && target < index ? [target] : []
  })
  return [...new Set(targets)]
}
