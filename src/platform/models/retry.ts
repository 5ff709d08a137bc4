import { setTimeout as delay } from 'node:timers/promises'
import { ModelError } from './model-error.ts'

/** Further tries after the first. The only retry layer there is: nested ones multiply. */
const MAX_RETRIES = 2
/** A longer wait belongs to the queue, which defers the operation where clients see it. */
const LONGEST_WAIT_MS = 10_000
const FIRST_BACKOFF_MS = 500
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000

/** What waits and rolls dice, so that tests need neither. */
export interface RetryTools {
  /** Rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** 0 <= n < 1. */
  readonly random: () => number
  /** Milliseconds since the epoch, to read a Retry-After date against. */
  readonly now: () => number
}

export const systemRetryTools: RetryTools = {
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, { signal })
    } catch (error) {
      signal.throwIfAborted()
      throw error
    }
  },
  random: Math.random,
  now: Date.now,
}

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly tools: RetryTools
  /** False once a failed try has left traces, such as text already passed on: the failure is thrown then. */
  readonly canRetry?: () => boolean
}

/**
 * Runs `attempt` again after an `unavailable` or `rateLimited` ModelError: at most 2 further times, after a jittered
 * exponential backoff or the time that the server named. A named time over 10 s is thrown at once. Every other error is
 * thrown as it is; an abort ends a wait with the signal's reason.
 */
export async function withRetry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let retries = 0; ; retries++) {
    options.signal.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      const wait = waitBefore(error, retries, options.tools)
      if (wait === null || options.canRetry?.() === false) throw error
      await options.tools.sleep(wait, options.signal)
    }
  }
}

/** Milliseconds to wait before the next try; null: there is none. */
function waitBefore(error: unknown, retries: number, tools: RetryTools): number | null {
  if (retries >= MAX_RETRIES || !(error instanceof ModelError)) return null
  if (error.kind !== 'unavailable' && error.kind !== 'rateLimited') return null
  const backoff = FIRST_BACKOFF_MS * 2 ** retries * (0.5 + tools.random())
  if (error.retryAfterMs === null) return backoff
  return error.retryAfterMs > LONGEST_WAIT_MS ? null : error.retryAfterMs
}

/**
 * Milliseconds that an answer asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as an HTTP date. Null when
 * there is neither. At most a day, never negative.
 */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const exact = headers.get('retry-after-ms')?.trim()
  const value = headers.get('retry-after')?.trim()
  if (exact !== undefined && isDecimal(exact)) return limited(Number(exact))
  if (value === undefined || value === '') return null
  if (isDecimal(value)) return limited(Number(value) * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : limited(date - now)
}

function isDecimal(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text)
}

function limited(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_RETRY_AFTER_MS)
}
