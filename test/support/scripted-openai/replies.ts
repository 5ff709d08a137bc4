import type { IncomingHttpHeaders } from 'node:http'

export interface ChatMessageBody {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

export interface ChatBody {
  readonly model: string
  readonly messages: readonly ChatMessageBody[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly tool_choice?: string | { readonly function: { readonly name: string } }
  readonly response_format?: { readonly type: string; readonly json_schema?: unknown }
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly temperature?: number
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
}

export interface RecordedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON, or the text itself when it is none. */
  readonly body: unknown
  /** `answered`, or `aborted` when the client closed the connection before the answer was complete. */
  readonly ended: Promise<'answered' | 'aborted'>
}

export interface ChatRequest extends RecordedRequest {
  readonly body: ChatBody
  /** Texts of all messages of that role, one below the other. */
  readonly system: string
  readonly user: string
  /** Text of the last message, whatever its role: a tool's result in an agent's loop. */
  readonly last: string
}

type TextMatcher = string | RegExp

/** Every field given must match. */
export interface ChatPattern {
  readonly system?: TextMatcher
  readonly user?: TextMatcher
  readonly last?: TextMatcher
  /** Name of a tool that is offered. */
  readonly tool?: string
  /** Name of the tool that is forced, or 'auto'. */
  readonly toolChoice?: string
}

export type ChatMatcher = ((request: ChatRequest) => boolean) | ChatPattern

/** The answer waits until `hold` settles. Every kind of reply takes it. */
interface Held {
  readonly hold?: Promise<unknown>
}

export interface MessageReply extends Held {
  readonly content?: string | null
  /** Put into `reasoning_content`, or into the field that `reasoningField` names. */
  readonly reasoning?: string
  readonly reasoningField?: 'reasoning_content' | 'reasoning'
  readonly refusal?: string
  readonly toolCalls?: readonly {
    readonly name: string
    /** A string goes out as it is, broken or not; anything else as JSON. */
    readonly arguments: unknown
    /** `call_1`, `call_2` … over the life of the server when not given. */
    readonly id?: string
  }[]
  /** `stop`, or `tool_calls` with calls. null leaves it out. */
  readonly finishReason?: string | null
  /** Counted from the lengths when not given; null leaves it out. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
  /** Pieces of the content when streamed; otherwise every three characters are one. */
  readonly chunks?: readonly string[]
  /** Streams so many pieces, then closes the connection. */
  readonly cutAfter?: number
}

export interface StatusReply extends Held {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string goes out as it is; anything else as JSON. An OpenAI-like error when not given. */
  readonly body?: unknown
}

export type HttpReply =
  | StatusReply
  /** Never answered. The connection stays until the client or `close()` ends it. */
  | ({ readonly hang: true } & Held)
  /** The connection is closed without an answer. */
  | ({ readonly disconnect: true } & Held)
  /** The body of a 200 answer, as it is. */
  | ({ readonly rawContent: string; readonly contentType?: string } & Held)

export type ChatReply =
  | MessageReply
  | HttpReply
  | ((request: ChatRequest) => ChatReply | Promise<ChatReply>)

export function toChatRequest(request: RecordedRequest): ChatRequest {
  const body = request.body as ChatBody
  const texts = (role: string) =>
    body.messages.filter((message) => message.role === role).map(textOf)
  const last = body.messages.at(-1)
  return {
    ...request,
    body,
    system: texts('system').join('\n'),
    user: texts('user').join('\n'),
    last: last === undefined ? '' : textOf(last),
  }
}

export function matches(matcher: ChatMatcher, request: ChatRequest): boolean {
  if (typeof matcher === 'function') return matcher(request)
  const { tools = [], tool_choice: choice = 'auto' } = request.body
  const chosen = typeof choice === 'string' ? choice : choice.function.name
  return (
    (['system', 'user', 'last'] as const).every((field) =>
      matchesText(matcher[field], request[field]),
    ) &&
    (matcher.tool === undefined || tools.some((tool) => tool.function.name === matcher.tool)) &&
    (matcher.toolChoice === undefined || matcher.toolChoice === chosen)
  )
}

export function matchesText(matcher: TextMatcher | undefined, text: string): boolean {
  if (matcher === undefined) return true
  return typeof matcher === 'string' ? text.includes(matcher) : text.search(matcher) >= 0
}

function textOf(message: ChatMessageBody): string {
  return typeof message.content === 'string' ? message.content : ''
}
