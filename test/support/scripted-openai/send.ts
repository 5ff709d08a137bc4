import type { ServerResponse } from 'node:http'
import type { ChatBody, HttpReply, MessageReply } from './replies.ts'

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export async function sendHttpReply(response: ServerResponse, reply: HttpReply): Promise<void> {
  await reply.hold
  if ('hang' in reply) return
  if ('disconnect' in reply) {
    response.destroy()
    return
  }
  if ('rawContent' in reply) {
    response.writeHead(200, { 'content-type': reply.contentType ?? 'application/json' })
    response.end(reply.rawContent)
    return
  }
  const body = reply.body ?? { error: { message: `scripted status ${reply.status}` } }
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export async function sendMessage(
  response: ServerResponse,
  body: ChatBody,
  reply: MessageReply,
  newCallId: () => string,
): Promise<void> {
  await reply.hold
  const toolCalls = reply.toolCalls?.map((call, index) => ({
    index,
    id: call.id ?? newCallId(),
    type: 'function',
    function: {
      name: call.name,
      arguments:
        typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }))
  const message = {
    role: 'assistant',
    content: reply.content ?? null,
    ...(reply.reasoning === undefined
      ? {}
      : { [reply.reasoningField ?? 'reasoning_content']: reply.reasoning }),
    ...(reply.refusal === undefined ? {} : { refusal: reply.refusal }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
  }
  const fallback = toolCalls === undefined ? 'stop' : 'tool_calls'
  const finish = reply.finishReason === undefined ? fallback : reply.finishReason
  if (body.stream === true) await streamMessage(response, body, reply, message, finish)
  else {
    const choices = [{ index: 0, message, finish_reason: finish }]
    sendJson(response, 200, {
      ...envelope(body, 'chat.completion'),
      choices,
      ...usageOf(body, reply),
    })
  }
}

async function streamMessage(
  response: ServerResponse,
  body: ChatBody,
  reply: MessageReply,
  message: Record<string, unknown>,
  finish: string | null,
): Promise<void> {
  const start = envelope(body, 'chat.completion.chunk')
  const write = (data: object) =>
    response.write(`data: ${JSON.stringify({ ...start, ...data })}\n\n`)
  const delta = (fields: object, finish_reason: string | null = null) =>
    write({ choices: [{ index: 0, delta: fields, finish_reason }] })

  response.writeHead(200, { 'content-type': 'text/event-stream' })
  delta({ ...message, content: '' })
  const pieces = reply.chunks ?? reply.content?.match(/[\s\S]{1,3}/g) ?? []
  for (const [index, content] of pieces.entries()) {
    if (index === reply.cutAfter) {
      response.destroy()
      return
    }
    delta({ content })
    await new Promise((resolve) => setImmediate(resolve)) // Lets the pieces leave one by one.
  }
  if (finish !== null) delta({}, finish)
  if (body.stream_options?.include_usage) write({ choices: [], ...usageOf(body, reply) })
  response.end('data: [DONE]\n\n')
}

function envelope(body: ChatBody, object: string) {
  return { id: 'chatcmpl-scripted', object, created: 0, model: body.model }
}

/** A quarter of the characters, as a tokenizer would come near to. */
function usageOf(body: ChatBody, reply: MessageReply): object {
  if (reply.usage === null) return {}
  const { prompt_tokens, completion_tokens } = reply.usage ?? {
    prompt_tokens: Math.ceil(JSON.stringify(body.messages).length / 4),
    completion_tokens: Math.ceil(JSON.stringify(reply.toolCalls ?? reply.content ?? '').length / 4),
  }
  const total_tokens = prompt_tokens + completion_tokens
  return { usage: { prompt_tokens, completion_tokens, total_tokens } }
}
