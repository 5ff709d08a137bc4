/** Of an error's body: more than is ever quoted, enough to find the phrase that tells what is wrong. */
const MAX_ERROR_BYTES = 64 * 1024

/** An answer that is no 2xx. The message has no part of the body: whoever quotes it scrubs it first. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError'
  readonly status: number
  readonly headers: Headers
  readonly body: string

  constructor(status: number, headers: Headers, body: string) {
    super(`HTTP ${status}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError'

  constructor(maxBytes: number) {
    super(`answer of more than ${maxBytes} bytes`)
  }
}

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * A fetch that reads at most `maxBytes` of an answer. Anything but 2xx throws HttpStatusError with the beginning of the
 * body: clients made for one vendor drop the error bodies of the others. A body that is no event stream is read before
 * this returns, so that every failure of the connection is thrown from here.
 */
export function createBoundedFetch(maxBytes: number): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!response.ok) {
      throw new HttpStatusError(response.status, response.headers, await readError(response))
    }
    const { status, headers } = response
    if (isEventStream(headers)) {
      return new Response(response.body?.pipeThrough(byteLimit(maxBytes)), { status, headers })
    }
    const body = await readBody(response, maxBytes, true)
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers })
  }
}

export function isEventStream(headers: Headers): boolean {
  return headers.get('content-type')?.toLowerCase().includes('text/event-stream') ?? false
}

async function readError(response: Response): Promise<string> {
  try {
    return (await readBody(response, MAX_ERROR_BYTES, false)).toString('utf8')
  } catch {
    return '' // The status alone says enough.
  }
}

async function readBody(response: Response, maxBytes: number, strict: boolean): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  // Node's streams can be iterated; the browser's declaration of the same type, which a dependency brings in, says nothing of it.
  const chunks = (response.body ?? []) as unknown as AsyncIterable<Uint8Array>
  for await (const part of chunks) {
    parts.push(part)
    size += part.length
    if (size <= maxBytes) continue
    if (strict) throw new ResponseTooLargeError(maxBytes)
    break // Leaving the loop cancels the rest of the body.
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}

function byteLimit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0
  return new TransformStream({
    transform(part, controller) {
      size += part.length
      if (size > maxBytes) controller.error(new ResponseTooLargeError(maxBytes))
      else controller.enqueue(part)
    },
  })
}
