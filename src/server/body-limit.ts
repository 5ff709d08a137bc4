import type { IncomingMessage, ServerResponse } from 'node:http'

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 10_000_000

const TOO_LARGE = JSON.stringify({
  errors: [
    {
      message: `A request body may hold at most ${MAX_BODY_BYTES} bytes.`,
      extensions: { code: 'BAD_USER_INPUT', reason: 'BODY_TOO_LARGE' },
    },
  ],
})

/**
 * Refuses a body over the limit before it is read, or while it is when its length was not announced. Returns false
 * when the request has been answered.
 */
export function limitBody(request: IncomingMessage, response: ServerResponse): boolean {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    refuse(response)
    return false
  }
  let received = 0
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received <= MAX_BODY_BYTES) return
    if (!response.headersSent) refuse(response)
    request.destroy()
  })
  request.pause()
  return true
}

function refuse(response: ServerResponse): void {
  response.writeHead(413, { 'content-type': 'application/json', connection: 'close' })
  response.end(TOO_LARGE)
}
