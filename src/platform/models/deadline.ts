/** Longest that a Node timer can run; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'

  constructor(ms: number) {
    super(`no complete answer within ${ms} ms`)
  }
}

/**
 * Runs something that takes a signal, aborted with the outer one or after `ms`. Throws the outer signal's reason, or
 * DeadlineError, whatever `run` makes of the abort: the openai package ends a stream without an error. Leaves no
 * listener behind, unlike AbortSignal.any, and ends whatever of the request still runs.
 */
export async function withDeadline<T>(
  outer: AbortSignal,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted()
  const controller = new AbortController()
  const { signal } = controller
  const onAbort = () => controller.abort(outer.reason)
  outer.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(
    () => controller.abort(new DeadlineError(ms)),
    Math.min(ms, MAX_TIMER_MS),
  )
  try {
    const result = await run(signal)
    signal.throwIfAborted()
    return result
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', onAbort)
    controller.abort()
  }
}
