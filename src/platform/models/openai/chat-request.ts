import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources'
import { isRecord } from '../../../lib/json-lenient.ts'
import { cleanText } from '../../../lib/text.ts'
import type { AgentMessage, Prompt, ToolDefinition } from '../ports.ts'
import type { Dialect } from './dialect.ts'

/** One chat completion, before it is put into an endpoint's dialect. */
export interface ChatCall {
  readonly messages: readonly AgentMessage[]
  readonly temperature: number
  readonly maxOutputTokens?: number | null
  readonly tools?: readonly ToolDefinition[]
  readonly toolChoice?: 'auto' | { readonly name: string }
  readonly jsonSchema?: JsonSchemaFormat
}

export interface JsonSchemaFormat {
  readonly name: string
  /** True only for schemas within the subset that OpenAI enforces: all properties required, none additional. */
  readonly strict: boolean
  readonly schema: Readonly<Record<string, unknown>>
}

export function promptMessages(prompt: Prompt): readonly AgentMessage[] {
  return [
    { role: 'system', content: prompt.system },
    { role: 'user', content: prompt.user },
  ]
}

type Params = ChatCompletionCreateParams

/** The request body in the endpoint's dialect. */
export function renderChatCall(
  call: ChatCall,
  model: string,
  dialect: Dialect,
  stream: boolean,
): Params {
  const needsSchemaInPrompt = call.jsonSchema !== undefined && dialect.responseFormat > 0
  return {
    model,
    messages: call.messages.map((message, index) =>
      toParam(message, index === 0 && needsSchemaInPrompt ? call.jsonSchema : undefined),
    ),
    ...(dialect.temperature === 0 ? { temperature: call.temperature } : {}),
    ...renderMaxTokens(call, dialect),
    ...renderTools(call, dialect),
    ...renderFormat(call, dialect),
    ...(stream ? { stream } : {}),
    ...(stream && dialect.streamOptions === 0 ? { stream_options: { include_usage: true } } : {}),
  }
}

/** Features of the dialect that a call makes use of. */
export function featuresOf(call: ChatCall, stream: boolean): readonly (keyof Dialect)[] {
  return [
    'temperature',
    ...(call.jsonSchema === undefined ? [] : (['responseFormat'] as const)),
    ...(hasMaxTokens(call) ? (['maxTokens'] as const) : []),
    ...(stream ? (['streamOptions'] as const) : []),
    ...(typeof call.toolChoice === 'object' ? (['toolChoice'] as const) : []),
  ]
}

function hasMaxTokens(call: ChatCall): boolean {
  return call.maxOutputTokens !== undefined && call.maxOutputTokens !== null
}

function renderMaxTokens(call: ChatCall, dialect: Dialect): Partial<Params> {
  if (!hasMaxTokens(call)) return {}
  const limit = call.maxOutputTokens ?? null
  return dialect.maxTokens === 0 ? { max_tokens: limit } : { max_completion_tokens: limit }
}

function renderTools(call: ChatCall, dialect: Dialect): Partial<Params> {
  const { tools = [], toolChoice = 'auto' } = call
  if (tools.length === 0) return {}
  const forced = toolChoice === 'auto' ? null : toolChoice.name
  const offered =
    forced !== null && dialect.toolChoice > 0 ? tools.filter((tool) => tool.name === forced) : tools
  const rendered = {
    tools: offered.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...parameters } },
    })),
  }
  if (forced === null || dialect.toolChoice === 2) return { ...rendered, tool_choice: 'auto' }
  if (dialect.toolChoice === 1) return { ...rendered, tool_choice: 'required' }
  return { ...rendered, tool_choice: { type: 'function', function: { name: forced } } }
}

function renderFormat({ jsonSchema }: ChatCall, dialect: Dialect): Partial<Params> {
  if (jsonSchema === undefined || dialect.responseFormat === 2) return {}
  if (dialect.responseFormat === 1) return { response_format: { type: 'json_object' } }
  const { name, strict, schema } = jsonSchema
  return {
    response_format: { type: 'json_schema', json_schema: { name, strict, schema: { ...schema } } },
  }
}

function toParam(message: AgentMessage, schema?: JsonSchemaFormat): ChatCompletionMessageParam {
  if (message.role === 'tool') {
    return {
      role: 'tool',
      tool_call_id: message.toolCallId,
      content: cleanText(message.content),
    }
  }
  if (message.role === 'assistant') {
    const content = message.content === null ? null : cleanText(message.content)
    if (message.toolCalls.length === 0) return { role: 'assistant', content: content ?? '' }
    return {
      role: 'assistant',
      content,
      tool_calls: message.toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: sendableArguments(call.arguments) },
      })),
    }
  }
  const text = cleanText(message.content)
  return { role: message.role, content: schema === undefined ? text : withSchema(text, schema) }
}

/** For endpoints that cannot enforce a schema. Behind the stable text, so that its prefix stays cacheable. */
function withSchema(text: string, { schema }: JsonSchemaFormat): string {
  return `${text}\n\nAnswer with one JSON value that matches this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`
}

/**
 * Arguments that a model broke would break the next request as well: servers parse the history (vLLM answers 400 for
 * ever). The tool's message tells the model what was wrong.
 */
function sendableArguments(text: string): string {
  try {
    return isRecord(JSON.parse(text)) ? text : '{}'
  } catch {
    return '{}'
  }
}
