import { randomUUID } from 'node:crypto'
import { isRecord } from '../../../lib/json-lenient.ts'
import { cleanText } from '../../../lib/text.ts'
import { type ModelIdentity, modelError, quote, reportedError } from '../model-failure.ts'
import type { TokenUsage, ToolCall } from '../ports.ts'

/** Calls taken from one step; a model in a loop writes hundreds. */
const MAX_TOOL_CALLS = 32
const MAX_NAME_CHARS = 200
const MAX_ARGUMENTS_CHARS = 200_000

export const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0 }

export interface ChatAnswer {
  /** As written, think blocks included. */
  readonly content: string
  /** Text of the reasoning field that some servers fill in place of the content. */
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: string | null
  readonly usage: TokenUsage
}

/**
 * Reads a chat completion as providers really send it. Throws ModelError: `unusable` when it is none, `truncated` at
 * the length limit, `refused` for a refusal, and whatever an error object in the place of an answer says.
 */
export function readChatAnswer(body: unknown, identity: ModelIdentity, now: number): ChatAnswer {
  const answer = typeof body === 'string' ? (JSON.parse(body) as unknown) : body
  if (!isRecord(answer)) throw modelError('unusable', identity, 'the answer is not an object')
  const choice: unknown = Array.isArray(answer.choices) ? answer.choices[0] : undefined
  if (!isRecord(choice) || !isRecord(choice.message)) {
    if (isRecord(answer.error)) throw reportedError(answer.error, identity, now)
    const text = quote(JSON.stringify(answer), identity)
    throw modelError('unusable', identity, `no message in the answer: ${text}`)
  }
  const { message } = choice
  const read: ChatAnswer = {
    content: readContent(message.content),
    reasoning: readReasoning(message),
    toolCalls: readToolCalls(message.tool_calls),
    finishReason: typeof choice.finish_reason === 'string' ? choice.finish_reason : null,
    usage: readUsage(answer.usage),
  }
  checkFinish(read, message.refusal, identity)
  return read
}

/** Throws for an answer that did not come to its own end. */
export function checkFinish(answer: ChatAnswer, refusal: unknown, identity: ModelIdentity): void {
  const { finishReason, content } = answer
  if (typeof refusal === 'string' && refusal.trim() !== '') {
    throw modelError('refused', identity, `the model refused: ${quote(refusal, identity)}`)
  }
  if (finishReason === 'content_filter') {
    throw modelError('refused', identity, 'the answer was held back by a content filter')
  }
  if (finishReason === 'length') {
    const text = quote(content, identity)
    throw modelError('truncated', identity, `the answer was cut off at the length limit: ${text}`)
  }
}

export function readUsage(usage: unknown): TokenUsage {
  if (!isRecord(usage)) return NO_USAGE
  return {
    inputTokens: readCount(usage.prompt_tokens),
    outputTokens: readCount(usage.completion_tokens),
  }
}

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  }
}

function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** A string, or a list of parts of which the text ones count (Mistral sends thinking as a part). */
export function readContent(content: unknown): string {
  if (typeof content === 'string') return cleanText(content)
  if (!Array.isArray(content)) return ''
  const texts = content.filter(
    (part) => isRecord(part) && part.type === 'text' && typeof part.text === 'string',
  )
  return cleanText(texts.map((part) => part.text).join(''))
}

export function readReasoning(message: Readonly<Record<string, unknown>>): string {
  for (const text of [message.reasoning_content, message.reasoning]) {
    if (typeof text === 'string' && text !== '') return cleanText(text)
  }
  return ''
}

/** Calls without a name are dropped; ids that are missing or doubled are replaced, since answers refer to them. */
function readToolCalls(value: unknown): readonly ToolCall[] {
  if (!Array.isArray(value)) return []
  const seen = new Set<string>()
  return value.slice(0, MAX_TOOL_CALLS).flatMap((call): ToolCall[] => {
    const named: unknown = isRecord(call) ? call.function : undefined
    if (!isRecord(named) || typeof named.name !== 'string' || named.name === '') return []
    const given = isRecord(call) && typeof call.id === 'string' ? call.id : ''
    const id = given === '' || given.length > MAX_NAME_CHARS || seen.has(given) ? newId() : given
    seen.add(id)
    const name = cleanText(named.name.slice(0, MAX_NAME_CHARS))
    return [{ id, name, arguments: readArguments(named.arguments) }]
  })
}

function newId(): string {
  return `call_${randomUUID()}`
}

/** Raw text, broken or not. Some servers send an object, or nothing for a tool without arguments. */
function readArguments(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? {})
  return text === '' ? '{}' : cleanText(text.slice(0, MAX_ARGUMENTS_CHARS))
}
