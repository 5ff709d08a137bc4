import { expect, test } from 'vitest'
import { withDeadline } from '../../src/platform/models/deadline.ts'
import { ModelError } from '../../src/platform/models/model-error.ts'
import { readRetryAfter, systemRetryTools, withRetry } from '../../src/platform/models/retry.ts'
import { fakeTools, NOW, never } from './openai-helpers.ts'

test('the waits grow and are jittered between half and one and a half', async () => {
  const failing = () => Promise.reject(new ModelError('unavailable', 'down'))
  for (const [random, expected] of [
    [0, [250, 500]],
    [0.999, [749.5, 1499]],
  ] as const) {
    const tools = { ...fakeTools(), random: () => random }
    const waits: number[] = []
    const sleep = async (ms: number) => void waits.push(ms)
    await expect(
      withRetry(failing, { signal: never, tools: { ...tools, sleep } }),
    ).rejects.toThrow()
    expect(waits).toEqual(expected)
  }
})

test('an abort ends a wait at once with the reason', async () => {
  const controller = new AbortController()
  const reason = new Error('shutting down')
  const failing = () => Promise.reject(new ModelError('rateLimited', 'slow', 9000))
  setTimeout(() => controller.abort(reason), 20)
  const start = performance.now()
  const call = withRetry(failing, { signal: controller.signal, tools: systemRetryTools })
  await expect(call).rejects.toBe(reason)
  expect(performance.now() - start).toBeLessThan(2000)
})

test('errors of other kinds are thrown at once', async () => {
  let calls = 0
  for (const error of [new ModelError('refused', 'no'), new Error('mistake')]) {
    const failing = () => {
      calls++
      return Promise.reject(error)
    }
    await expect(withRetry(failing, { signal: never, tools: fakeTools() })).rejects.toBe(error)
  }
  expect(calls).toBe(2)
})

test.each([
  [{}, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after-ms': 'x', 'retry-after': '2' }, 2000],
])('Retry-After of %j', (headers, expected) => {
  expect(readRetryAfter(new Headers(headers as Record<string, string>), NOW)).toBe(expected)
})

test('a deadline counts even when the work ends quietly', async () => {
  const quiet = (signal: AbortSignal) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('partial')))
  await expect(withDeadline(never, 10, quiet)).rejects.toThrow('10 ms')
})
