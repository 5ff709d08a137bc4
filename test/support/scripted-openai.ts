import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEmbeddings, type ScriptedEmbeddings } from './scripted-openai/embeddings.ts'
import {
  type ChatMatcher,
  type ChatReply,
  type ChatRequest,
  type HttpReply,
  matches,
  type RecordedRequest,
  toChatRequest,
} from './scripted-openai/replies.ts'
import { sendHttpReply, sendJson, sendMessage } from './scripted-openai/send.ts'

export type * from './scripted-openai/replies.ts'

/**
 * A language model behind a real HTTP server on 127.0.0.1, which says what the test scripted and nothing else:
 *
 *     const model = await startScriptedOpenAi()
 *     model.onChat({ system: /extract facts/ }, { content: '{"facts":[]}' })
 *     ...
 *     model.assertNothingUnscripted()
 *     await model.close()
 *
 * A chat request is answered by the first rule of `onChatOnce` that matches and has replies left, in the order they
 * were made; then by the newest rule of `onChat` that matches; else it gets 500 and is listed in `unscripted`.
 */
export interface ScriptedOpenAi {
  /** Base URL with the version part: `http://127.0.0.1:PORT/v1`. */
  readonly url: string
  /** Every request in the order of arrival. */
  readonly requests: readonly RecordedRequest[]
  /** The chat requests among them. */
  readonly chats: readonly ChatRequest[]
  readonly unscripted: readonly RecordedRequest[]
  /** Answers every matching request with the same reply. */
  onChat(matcher: ChatMatcher, reply: ChatReply): void
  /** Answers the next matching requests, one reply each. */
  onChatOnce(matcher: ChatMatcher, ...replies: readonly ChatReply[]): void
  /** Answers POST requests to another path of the server, such as `/v1/rerank`. */
  onPost(path: string, answer: (request: RecordedRequest) => HttpReply): void
  readonly embeddings: ScriptedEmbeddings
  /** Every embeddings request gets this status until `restoreEmbeddings`. */
  failEmbeddings(status: number, headers?: Readonly<Record<string, string>>): void
  restoreEmbeddings(): void
  /** Resolves with the n-th request (from 1) as soon as it has arrived. */
  requestNumber(n: number): Promise<RecordedRequest>
  /** Throws, listing every request that no script answered. */
  assertNothingUnscripted(): void
  /** Forgets requests and scripts. */
  reset(): void
  /** Ends all connections, held and hanging ones included. */
  close(): Promise<void>
}

interface ChatRule {
  readonly matcher: ChatMatcher
  readonly replies: ChatReply[]
  readonly isOnce: boolean
}

const CHAT_PATH = '/v1/chat/completions'
const EMBEDDINGS_PATH = '/v1/embeddings'

export async function startScriptedOpenAi(): Promise<ScriptedOpenAi> {
  const requests: RecordedRequest[] = []
  const chats: ChatRequest[] = []
  const unscripted: RecordedRequest[] = []
  const rules: ChatRule[] = []
  const posts = new Map<string, (request: RecordedRequest) => HttpReply>()
  const arrivals = new Set<() => void>()
  let embeddings = createEmbeddings()
  let calls = 0

  const server = createServer((message, response) => {
    handle(message, response).catch((error: unknown) => {
      // A mistake in the script itself. Shown as unscripted, since the test has to hear of it.
      unscripted.push({ ...record(message, response, String(error)) })
      response.destroy()
    })
  })

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = record(message, response, await readBody(message))
    requests.push(request)
    const isChat = request.path === CHAT_PATH
    const chat = isChat ? toChatRequest(request) : null
    if (chat !== null) chats.push(chat)
    for (const wake of arrivals) wake()

    if (chat !== null) return answerChat(chat, response)
    if (request.path === EMBEDDINGS_PATH) return answerEmbeddings(request, response)
    const answer = posts.get(request.path)
    return answer ? sendHttpReply(response, answer(request)) : refuse(request, response)
  }

  async function answerChat(request: ChatRequest, response: ServerResponse): Promise<void> {
    let reply = takeReply(rules, request)
    while (typeof reply === 'function') reply = await reply(request)
    if (reply === undefined) refuse(request, response)
    else if (isHttpReply(reply)) await sendHttpReply(response, reply)
    else await sendMessage(response, request.body, reply, () => `call_${++calls}`)
  }

  async function answerEmbeddings(request: RecordedRequest, response: ServerResponse) {
    const answer = embeddings.answer(request.body)
    if ('reply' in answer) await sendHttpReply(response, answer.reply)
    else sendJson(response, 200, answer.body)
  }

  function refuse(request: RecordedRequest, response: ServerResponse): void {
    unscripted.push(request)
    sendJson(response, 500, { error: { message: 'no reply is scripted for this request' } })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    chats,
    unscripted,
    onChat: (matcher, reply) => void rules.unshift({ matcher, replies: [reply], isOnce: false }),
    onChatOnce: (matcher, ...replies) =>
      void rules.push({ matcher, replies: [...replies], isOnce: true }),
    onPost: (path, answer) => void posts.set(path, answer),
    get embeddings() {
      return embeddings
    },
    failEmbeddings: (status, headers = {}) => embeddings.fail({ status, headers }),
    restoreEmbeddings: () => embeddings.restore(),
    requestNumber: (n) => whenArrived(requests, arrivals, n),
    assertNothingUnscripted: () => assertNone(unscripted),
    reset() {
      for (const list of [requests, chats, unscripted, rules]) list.length = 0
      posts.clear()
      embeddings = createEmbeddings()
    },
    close: () => closeServer(server),
  }
}

function takeReply(rules: readonly ChatRule[], request: ChatRequest): ChatReply | undefined {
  const matching = rules.filter((rule) => rule.replies.length > 0 && matches(rule.matcher, request))
  const first = matching.find((rule) => rule.isOnce) ?? matching[0]
  return first?.isOnce ? first.replies.shift() : first?.replies[0]
}

function isHttpReply(reply: Exclude<ChatReply, (...args: never) => unknown>): reply is HttpReply {
  return ['status', 'hang', 'disconnect', 'rawContent'].some((field) => field in reply)
}

function record(message: IncomingMessage, response: ServerResponse, text: string): RecordedRequest {
  const ended = new Promise<'answered' | 'aborted'>((resolve) => {
    response.once('finish', () => resolve('answered'))
    response.once('close', () => resolve('aborted'))
  })
  return { path: message.url ?? '', headers: message.headers, body: parseOr(text), ended }
}

async function readBody(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function whenArrived(
  requests: readonly RecordedRequest[],
  arrivals: Set<() => void>,
  n: number,
): Promise<RecordedRequest> {
  return new Promise((resolve) => {
    function check(): void {
      const request = requests[n - 1]
      if (request === undefined) return
      arrivals.delete(check)
      resolve(request)
    }
    arrivals.add(check)
    check()
  })
}

function assertNone(unscripted: readonly RecordedRequest[]): void {
  if (unscripted.length === 0) return
  const list = unscripted.map(({ path, body }) => `${path} ${JSON.stringify(body).slice(0, 2000)}`)
  throw new Error(`${unscripted.length} requests were not scripted:\n${list.join('\n')}`)
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
