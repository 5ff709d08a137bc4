import type OpenAI from 'openai'
import { Stream } from 'openai/streaming'
import { isRecord } from '../../../lib/json-lenient.ts'
import { type ModelIdentity, modelError } from '../model-failure.ts'
import type { TokenUsage } from '../ports.ts'
import { type ChatAnswer, checkFinish, NO_USAGE, readReasoning, readUsage } from './chat-answer.ts'
import { createTextStream } from './text-stream.ts'

/**
 * Reads a streamed completion without tool calls, passing the content on as it comes, think blocks included. A stream
 * that ends without a finish reason was cut off on the way and is `unavailable`, not a short answer.
 */
export async function readChatStream(
  client: OpenAI,
  response: Response,
  identity: ModelIdentity,
  onContent: (delta: string) => void,
): Promise<ChatAnswer> {
  let content = ''
  let reasoning = ''
  let refusal = ''
  let finishReason: string | null = null
  let usage: TokenUsage = NO_USAGE
  const text = createTextStream((delta) => {
    content += delta
    onContent(delta)
  })

  // The client is named for its log level alone: without one, broken events are printed to the console.
  const events = Stream.fromSSEResponse<unknown>(response, new AbortController(), client)
  for await (const chunk of events) {
    if (!isRecord(chunk)) continue
    if (isRecord(chunk.usage)) usage = readUsage(chunk.usage)
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
    if (!isRecord(choice)) continue
    if (typeof choice.finish_reason === 'string') finishReason = choice.finish_reason
    if (!isRecord(choice.delta)) continue
    if (typeof choice.delta.content === 'string') text.push(choice.delta.content)
    if (typeof choice.delta.refusal === 'string') refusal += choice.delta.refusal
    reasoning += readReasoning(choice.delta)
  }
  text.end()

  if (finishReason === null) {
    throw modelError('unavailable', identity, 'the stream ended before the answer was complete')
  }
  const answer = { content, reasoning, toolCalls: [], finishReason, usage }
  checkFinish(answer, refusal, identity)
  return answer
}
