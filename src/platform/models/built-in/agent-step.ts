import type { AgentStep, AgentStepRequest, Evidence, ToolCall, ToolDefinition } from '../ports.ts'
import { type Answer, composeAnswer, renderAnswer } from './answers.ts'

const DONE = 'done'
/** Aliases handed to a tool that wants ids, such as `expand`. */
const MAX_IDS = 5
const REASON = 'built-in reasoner: looks up what was asked'
const NO_MODEL = 'No language model is configured: directives were not applied.'

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * The next step without a model: the tool that is forced, else `done` with an answer that quotes, else that answer as
 * text. Ids cited are only aliases of evidence that was given.
 */
export function takeStep(request: AgentStepRequest): AgentStep {
  const { tools, toolChoice, input } = request
  const name = toolChoice === 'auto' ? DONE : toolChoice.name
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined) return { text: renderAnswer(composeAnswer(input)), toolCalls: [] }
  const answers = name === DONE
  const values = answers ? doneArguments(tool, input) : searchArguments(tool, input)
  const call: ToolCall = {
    // Deterministic, and unlike for each step of one conversation.
    id: `built-in-${request.messages.length}`,
    name,
    arguments: JSON.stringify(values),
  }
  return { text: null, toolCalls: [call] }
}

function doneArguments(
  tool: ToolDefinition,
  input: AgentStepRequest['input'],
): Record<string, unknown> {
  const answer = composeAnswer(input)
  const properties = propertiesOf(tool)
  const values: Record<string, unknown> = {
    memory_ids: aliases(answer, 'memory'),
    observation_ids: aliases(answer, 'observation'),
    mental_model_ids: aliases(answer, 'mentalModel'),
  }
  // In document mode the tool takes a document in place of the answer.
  if (properties.document !== undefined && properties.answer === undefined) {
    values.document = documentOf(answer, input.query)
  } else {
    values.answer = renderAnswer(answer)
  }
  if (properties.directive_compliance !== undefined) values.directive_compliance = NO_MODEL
  return values
}

function documentOf(answer: Answer, query: string): Record<string, unknown> {
  const blocks = [answer.opening, answer.bullets.join('\n'), answer.closing ?? '']
  const heading = query.replace(/\s+/g, ' ').trim().slice(0, 100)
  return { sections: [{ heading, level: 2, blocks: blocks.filter((block) => block !== '') }] }
}

function aliases(answer: Answer, kind: Evidence['kind']): string[] {
  return answer.quoted.filter((item) => item.kind === kind).map((item) => item.alias)
}

/** `reason` and `query`, and for every other required argument a value that its schema allows. */
function searchArguments(
  tool: ToolDefinition,
  input: AgentStepRequest['input'],
): Record<string, unknown> {
  const values: Record<string, unknown> = { reason: REASON, query: input.query }
  const properties = propertiesOf(tool)
  const required = Array.isArray(tool.parameters.required) ? tool.parameters.required : []
  for (const name of required) {
    if (typeof name === 'string' && !(name in values)) {
      values[name] = valueFor(name, properties[name] ?? {}, input)
    }
  }
  return values
}

function valueFor(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  input: AgentStepRequest['input'],
): unknown {
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (schema.type === 'array') return idsFor(name, input.evidence)
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return false
  return schema.type === 'object' ? {} : input.query
}

function idsFor(name: string, evidence: readonly Evidence[]): string[] {
  const kind = name.startsWith('mental_model')
    ? 'mentalModel'
    : name.startsWith('observation')
      ? 'observation'
      : 'memory'
  const ofKind = evidence.filter((item) => item.kind === kind)
  return ofKind.slice(0, MAX_IDS).map((item) => item.alias)
}

function propertiesOf(tool: ToolDefinition): Properties {
  const { properties } = tool.parameters
  return typeof properties === 'object' && properties !== null ? (properties as Properties) : {}
}
