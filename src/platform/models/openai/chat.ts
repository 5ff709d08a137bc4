import type OpenAI from 'openai'
import { APIConnectionError } from 'openai'
import type { ChatCompletionCreateParams } from 'openai/resources'
import pLimit from 'p-limit'
import { callModel, type ModelEndpoint } from '../call-model.ts'
import { HttpStatusError, isEventStream } from '../http-fetch.ts'
import { type ChatAnswer, readChatAnswer } from './chat-answer.ts'
import { type ChatCall, featuresOf, renderChatCall } from './chat-request.ts'
import { readChatStream } from './chat-stream.ts'
import { type Dialect, FULL_DIALECT, learnFromRefusal, mergeDialects } from './dialect.ts'

export interface Chat {
  /** One answer, complete. Throws ModelError, or the signal's reason. */
  complete(call: ChatCall, signal: AbortSignal): Promise<ChatAnswer>
  /** The same, with each piece of the content passed on as it comes. Not tried again once one has been. */
  stream(
    call: ChatCall,
    signal: AbortSignal,
    onContent: (delta: string) => void,
  ): Promise<ChatAnswer>
}

/** Chat completions of one model at one endpoint, at most `concurrency` at a time. */
export function createChat(
  client: OpenAI,
  endpoint: ModelEndpoint,
  options: {
    readonly concurrency: number
    readonly dialect?: Partial<Dialect>
    /** Features to insist on, whatever the endpoint says. */
    readonly fixed?: readonly (keyof Dialect)[]
  },
): Chat {
  const limit = pLimit(options.concurrency)
  let known: Dialect = { ...FULL_DIALECT, ...options.dialect }

  /** Sends the call, again in a plainer dialect for each feature that the endpoint refuses by name. */
  async function send(call: ChatCall, signal: AbortSignal, stream: boolean): Promise<Response> {
    for (;;) {
      const dialect = known
      try {
        const params = renderChatCall(call, endpoint.model, dialect, stream)
        return await post(params, signal)
      } catch (error) {
        const refusal = error instanceof APIConnectionError ? error.cause : error
        if (!(refusal instanceof HttpStatusError)) throw error
        const given = featuresOf(call, stream).filter((name) => !options.fixed?.includes(name))
        const learned = learnFromRefusal(refusal, dialect, given)
        if (learned === null) throw error
        known = mergeDialects(known, learned)
      }
    }
  }

  function post(params: ChatCompletionCreateParams, signal: AbortSignal): Promise<Response> {
    return client.chat.completions.create(params, { signal }).asResponse()
  }

  async function readPlain(response: Response): Promise<ChatAnswer> {
    return readChatAnswer(await response.text(), endpoint, endpoint.tools.now())
  }

  return {
    complete: (call, signal) =>
      limited(limit, signal, () =>
        callModel(endpoint, signal, async (inner) => readPlain(await send(call, inner, false))),
      ),

    stream(call, signal, onContent) {
      let started = false
      function pass(delta: string): void {
        started = true
        onContent(delta)
      }
      async function request(inner: AbortSignal): Promise<ChatAnswer> {
        const response = await send(call, inner, true)
        if (isEventStream(response.headers)) return readChatStream(client, response, endpoint, pass)
        const answer = await readPlain(response) // The endpoint does not stream.
        if (answer.content !== '') pass(answer.content)
        return answer
      }
      return limited(limit, signal, () => callModel(endpoint, signal, request, () => !started))
    },
  }
}

/** Runs within the limit. A caller that is aborted while it waits for its turn leaves at once. */
function limited<T>(
  limit: ReturnType<typeof pLimit>,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    limit(() => {
      signal.throwIfAborted()
      return run()
    })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}
