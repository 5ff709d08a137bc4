import { type FoundJson, findJson, isRecord } from '../../../lib/json-lenient.ts'
import { createThinkFilter, stripThinking } from '../../../lib/think-tags.ts'
import { checkedApiKey } from '../api-key.ts'
import type { ModelEndpoint } from '../call-model.ts'
import { modelError, quote } from '../model-failure.ts'
import type { Answered, RawFact, Reasoner } from '../ports.ts'
import { type RetryTools, systemRetryTools } from '../retry.ts'
import { type Chat, createChat } from './chat.ts'
import { addUsage, type ChatAnswer, NO_USAGE } from './chat-answer.ts'
import { promptMessages } from './chat-request.ts'
import { cleanJson } from './clean-json.ts'
import { createOpenAiClient } from './client.ts'
import type { Dialect } from './dialect.ts'
import { extractionSchema } from './extraction-schema.ts'
import { parseFacts, wholeChunk } from './parse-facts.ts'

/** Facts are read off a text; agents and writers need some freedom; edits and values by schema none. */
const EXTRACTION_TEMPERATURE = 0.1
const AGENT_TEMPERATURE = 0.9
const ANSWER_TEMPERATURE = 0.9
const SCHEMA_TEMPERATURE = 0

/** Calls for one chunk before its answer is given up as unusable. */
const EXTRACTION_CALLS = 2
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

export interface OpenAiReasonerOptions {
  /** With the version part, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly model: string
  /** For one try of one request, until its answer is complete. */
  readonly timeoutMs: number
  /** Requests at a time. */
  readonly concurrency: number
  /**
   * on: `response_format` json_schema, always; off: no `response_format` at all; auto: json_schema, then json_object, then
   * none, as the endpoint refuses them. What it refused is remembered as long as the reasoner lives.
   */
  readonly jsonSchema: 'auto' | 'on' | 'off'
}

/** A reasoner over any endpoint that speaks OpenAI's chat completions. Errors as the port says. */
export function createOpenAiReasoner(
  options: OpenAiReasonerOptions,
  tools: RetryTools = systemRetryTools,
): Reasoner {
  const apiKey = checkedApiKey(options.apiKey)
  const { baseUrl, model, timeoutMs, concurrency } = options
  const endpoint: ModelEndpoint = { model, secret: apiKey, timeoutMs, tools }
  const client = createOpenAiClient({ baseUrl, apiKey, maxResponseBytes: MAX_RESPONSE_BYTES })
  const chat = createChat(client, endpoint, {
    concurrency,
    dialect: startingDialect(options.jsonSchema),
    fixed: options.jsonSchema === 'on' ? ['responseFormat'] : [],
  })
  return {
    name: model,
    isLanguageModel: true,
    extractFacts: (request) => extractFacts(chat, endpoint, request),
    nextStep: (request) => nextStep(chat, endpoint, request),
    writeAnswer: (request) => writeAnswer(chat, request),
    extractBySchema: (request) => extractBySchema(chat, endpoint, request),
  }
}

function startingDialect(jsonSchema: OpenAiReasonerOptions['jsonSchema']): Partial<Dialect> {
  return jsonSchema === 'off' ? { responseFormat: 2 } : {}
}

type RequestOf<Name extends keyof Reasoner> = Reasoner[Name] extends (request: infer R) => unknown
  ? R
  : never

async function extractFacts(
  chat: Chat,
  endpoint: ModelEndpoint,
  request: RequestOf<'extractFacts'>,
): Promise<Answered<readonly RawFact[]>> {
  const { input, prompt, signal } = request
  if (input.mode === 'CHUNKS') return { value: [wholeChunk(input)], usage: NO_USAGE }
  const call = {
    messages: promptMessages(prompt),
    temperature: EXTRACTION_TEMPERATURE,
    jsonSchema: extractionSchema(input.mode),
  }
  let usage = NO_USAGE
  let came = ''
  for (let calls = 0; calls < EXTRACTION_CALLS; calls++) {
    const answer = await chat.complete(call, signal)
    usage = addUsage(usage, answer.usage)
    came = answer.content || answer.reasoning
    const value = parseFacts(jsonIn(answer), input)
    if (value !== null) return { value, usage }
  }
  const what = `no usable list of facts in the answer: ${quote(came, endpoint)}`
  throw modelError('unusable', endpoint, what)
}

async function nextStep(
  chat: Chat,
  endpoint: ModelEndpoint,
  request: RequestOf<'nextStep'>,
): ReturnType<Reasoner['nextStep']> {
  const { messages, tools, toolChoice, maxOutputTokens, signal } = request
  const temperature = AGENT_TEMPERATURE
  const call = { messages, tools, toolChoice, maxOutputTokens, temperature }
  const answer = await chat.complete(call, signal)
  const { toolCalls, usage } = answer
  const content = stripThinking(answer.content).trim()
  const text = toolCalls.length === 0 ? content || answer.reasoning.trim() : content
  if (text === '' && toolCalls.length === 0) {
    throw modelError('unusable', endpoint, 'a message with neither text nor tool calls')
  }
  return { value: { text: text === '' ? null : text, toolCalls }, usage }
}

async function writeAnswer(
  chat: Chat,
  request: RequestOf<'writeAnswer'>,
): Promise<Answered<string>> {
  const { prompt, signal, onText } = request
  const call = { messages: promptMessages(prompt), temperature: ANSWER_TEMPERATURE }
  if (onText === undefined) {
    const answer = await chat.complete(call, signal)
    return { value: textOrReasoning(answer), usage: answer.usage }
  }
  let value = ''
  function pass(text: string): void {
    if (text === '') return
    value += text
    onText?.(text)
  }
  const filter = createThinkFilter()
  const answer = await chat.stream(call, signal, (delta) => pass(filter.push(delta)))
  pass(filter.end())
  if (value === '' && answer.content.trim() === '') pass(answer.reasoning)
  return { value, usage: answer.usage }
}

async function extractBySchema(
  chat: Chat,
  endpoint: ModelEndpoint,
  request: RequestOf<'extractBySchema'>,
): Promise<Answered<unknown>> {
  const { prompt, schema, signal } = request
  const call = {
    messages: promptMessages(prompt),
    temperature: SCHEMA_TEMPERATURE,
    // The caller's schema need not be within the subset of strict mode.
    jsonSchema: { name: 'answer', strict: false, schema },
  }
  const answer = await chat.complete(call, signal)
  const isWanted = schema.type === 'array' ? Array.isArray : isRecord
  const value = cleanJson(jsonIn(answer).find((found) => isWanted(found.value))?.value)
  if (value === undefined) {
    const came = quote(answer.content || answer.reasoning, endpoint)
    throw modelError('unusable', endpoint, `no usable JSON in the answer: ${came}`)
  }
  return { value, usage: answer.usage }
}

/**
 * JSON of an answer, the likeliest first. In a reasoning field, read only where the content is empty, it stands behind
 * the thoughts and their drafts.
 */
function jsonIn(answer: ChatAnswer): readonly FoundJson[] {
  const isEmpty = answer.content.trim() === ''
  return isEmpty ? findJson(answer.reasoning).toReversed() : findJson(answer.content)
}

/** Some servers leave the content empty and put all of the text into the reasoning field. */
function textOrReasoning(answer: ChatAnswer): string {
  return answer.content.trim() === '' ? answer.reasoning : stripThinking(answer.content)
}
