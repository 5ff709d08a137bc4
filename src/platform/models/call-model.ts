import { withDeadline } from './deadline.ts'
import { type ModelIdentity, toModelError } from './model-failure.ts'
import { type RetryTools, withRetry } from './retry.ts'

export interface ModelEndpoint extends ModelIdentity {
  /** For one try, until its answer is complete. */
  readonly timeoutMs: number
  readonly tools: RetryTools
}

/**
 * One request to a model: each try under its own deadline, failures as ModelError, retried where that helps. Throws
 * the signal's reason once it is aborted.
 */
export function callModel<T>(
  endpoint: ModelEndpoint,
  signal: AbortSignal,
  request: (signal: AbortSignal) => Promise<T>,
  canRetry?: () => boolean,
): Promise<T> {
  async function attempt(): Promise<T> {
    try {
      return await withDeadline(signal, endpoint.timeoutMs, request)
    } catch (error) {
      signal.throwIfAborted()
      throw toModelError(error, endpoint, endpoint.tools.now())
    }
  }
  return withRetry(attempt, { signal, tools: endpoint.tools, ...(canRetry ? { canRetry } : {}) })
}
