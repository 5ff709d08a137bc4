import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { ModelError } from '../../src/platform/models/model-error.ts'
import { OperationFailure } from '../../src/platform/operations/operation.ts'
import type { Worker } from '../../src/platform/operations/worker.ts'
import { openTestDatabase } from '../support/database.ts'
import { createBank, createBench, eventually } from '../support/tasks.ts'

type Bench = ReturnType<typeof createBench>
type Run = Parameters<typeof createBench>[1]

let db: Database
let bench: Bench
let workers: Worker[] = []
const run: Run = { current: async () => ({}) }
let bankId = ''
let banks = 0

beforeAll(async () => {
  db = await openTestDatabase()
  bench = createBench(db, run)
})
beforeEach(async () => {
  banks += 1
  bankId = `bank-${banks}`
  await createBank(db, bankId)
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)))
  workers = []
  await db.execute('DELETE FROM operation')
})
afterAll(async () => {
  await bench.hub.close()
  await db.close()
})

function start(count = 1): void {
  for (let i = 0; i < count; i += 1) {
    const worker = bench.worker()
    workers.push(worker)
    worker.start()
  }
}
const hasStatus = (id: string, status: string) =>
  eventually(async () => (await bench.read(bankId, id)).status === status)

describe('a worker', () => {
  it('runs each operation once, however many workers there are', async () => {
    const runs: string[] = []
    run.current = async ({ operation }) => {
      runs.push(operation.id)
      return { detail: { done: true } }
    }
    const submitted = []
    for (let i = 0; i < 8; i += 1) submitted.push((await bench.submit(bankId)).operation.id)
    start(3)
    for (const id of submitted) await hasStatus(id, 'COMPLETED')
    expect([...runs].sort()).toEqual([...submitted].sort())
    expect(await bench.read(bankId, submitted[0] ?? '')).toMatchObject({
      attempt: 1,
      detail: { done: true },
      error: null,
    })
  })

  it('retries after a wait, and gives up at the attempt limit', async () => {
    run.current = async () => {
      throw new OperationFailure({
        code: 'UNAVAILABLE',
        reason: 'DOWN',
        message: 'down',
        retryable: true,
      })
    }
    const { operation } = await bench.submit(bankId)
    start()
    await eventually(
      async () => (await bench.read(bankId, operation.id)).parkedReason === 'RETRY_BACKOFF',
    )
    const waiting = await bench.read(bankId, operation.id)
    expect(waiting).toMatchObject({ status: 'PENDING', attempt: 1, error: { reason: 'DOWN' } })
    expect(waiting.nextAttemptAt?.getTime()).toBe(bench.now().getTime() + 5_000)
    bench.advance(5_000)
    await eventually(async () => (await bench.read(bankId, operation.id)).attempt === 2)
    await eventually(async () => (await bench.read(bankId, operation.id)).status === 'PENDING')
    bench.advance(60_000)
    await hasStatus(operation.id, 'FAILED')
    expect(await bench.read(bankId, operation.id)).toMatchObject({ attempt: 3 })
  })

  it('waits for as long as a provider asks, without using up an attempt', async () => {
    let calls = 0
    run.current = async () => {
      calls += 1
      if (calls === 1) throw new ModelError('rateLimited', 'slow down', 600_000)
      return {}
    }
    const { operation } = await bench.submit(bankId)
    start()
    await eventually(
      async () => (await bench.read(bankId, operation.id)).parkedReason === 'RATE_LIMITED',
    )
    expect(await bench.read(bankId, operation.id)).toMatchObject({ attempt: 0, error: null })
    bench.advance(599_000)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(calls).toBe(1)
    bench.advance(1_000)
    await hasStatus(operation.id, 'COMPLETED')
    expect((await bench.read(bankId, operation.id)).attempt).toBe(1)
  })

  it('hides an unexpected error from clients', async () => {
    run.current = async () => {
      throw new Error('password=hunter2')
    }
    const { operation } = await bench.submit(bankId)
    start()
    await eventually(async () => (await bench.read(bankId, operation.id)).error !== null)
    expect(JSON.stringify((await bench.read(bankId, operation.id)).error)).not.toContain('hunter2')
  })

  it('stops at once when cancelled, and writes nothing more', async () => {
    let aborted = false
    run.current = ({ signal, transaction }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true
          transaction(async () => {}).then(() => reject(new Error('a write landed')), reject)
        })
      })
    const { operation } = await bench.submit(bankId)
    start()
    await hasStatus(operation.id, 'PROCESSING')
    await bench.queue.cancel(bankId, operation.id)
    await eventually(() => aborted)
    await eventually(() => workers[0]?.running === 0)
    expect(await bench.read(bankId, operation.id)).toMatchObject({
      status: 'CANCELLED',
      error: null,
    })
  })

  it('takes over from a worker that fell silent, and fails what kills every worker', async () => {
    run.current = async () => ({})
    const { operation } = await bench.submit(bankId)
    const silent = {
      status: 'PROCESSING',
      attempt: 1,
      fence: 1n,
      leaseUntil: new Date(bench.now().getTime() + 60_000),
    }
    await db.prisma.operation.updateMany({ where: { id: operation.id }, data: silent })
    start()
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect((await bench.read(bankId, operation.id)).status).toBe('PROCESSING')
    bench.advance(61_000)
    await hasStatus(operation.id, 'COMPLETED')
    expect((await bench.read(bankId, operation.id)).attempt).toBe(2)

    const deadly = (await bench.submit(bankId)).operation
    await db.prisma.operation.updateMany({
      where: { id: deadly.id },
      data: { ...silent, attempt: 3, leaseUntil: bench.now() },
    })
    bench.advance(1_000)
    await hasStatus(deadly.id, 'FAILED')
    expect((await bench.read(bankId, deadly.id)).error).toMatchObject({
      reason: 'ATTEMPTS_EXHAUSTED',
    })
  })

  it('keeps the order of one serialisation key', async () => {
    const order: string[] = []
    run.current = async ({ payload }) => {
      order.push(`${payload.name} starts`)
      await new Promise((resolve) => setTimeout(resolve, 30))
      order.push(`${payload.name} ends`)
      return {}
    }
    for (const name of ['one', 'two', 'three'])
      await bench.submit(bankId, { payload: { name }, serializationKey: 'doc' })
    start(2)
    await eventually(() => order.length === 6)
    expect(order).toEqual([
      'one starts',
      'one ends',
      'two starts',
      'two ends',
      'three starts',
      'three ends',
    ])
  })

  it('puts back what it cannot finish before it stops', async () => {
    run.current = ({ signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    const { operation } = await bench.submit(bankId)
    start()
    await hasStatus(operation.id, 'PROCESSING')
    await workers[0]?.stop(0)
    expect(await bench.read(bankId, operation.id)).toMatchObject({ status: 'PENDING', attempt: 0 })
  })

  it('reports progress at most five times a second, and always the last', async () => {
    run.current = async ({ progress }) => {
      for (let i = 1; i <= 20; i += 1) await progress({ stage: 'storing', processed: i, total: 20 })
      return {}
    }
    const { operation } = await bench.submit(bankId)
    start()
    await hasStatus(operation.id, 'COMPLETED')
    const events = (await bench.log.read(bankId, 0, 100)).filter(
      ({ payload }) => payload.change === 'PROGRESS',
    )
    expect(
      events.map(({ payload }) => (payload.progress as { processed: number }).processed),
    ).toEqual([1, 20])
  })
})

describe('submitting', () => {
  it('answers a repeated idempotency key with the same operation, and refuses it for another input', async () => {
    const first = await bench.submit(bankId, {
      idempotencyKey: 'k',
      idempotencyInput: { a: 1, b: 2 },
    })
    const again = await bench.submit(bankId, {
      idempotencyKey: 'k',
      idempotencyInput: { b: 2, a: 1 },
    })
    expect(again).toMatchObject({ coalesced: true, operation: { id: first.operation.id } })
    await expect(
      bench.submit(bankId, { idempotencyKey: 'k', idempotencyInput: { a: 2 } }),
    ).rejects.toThrow('idempotency key')
  })

  it('folds many submissions at once into one pending operation', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        bench.submit(bankId, {
          coalesceKey: 'model',
          payload: { name: String(i) },
          merge: () => ({ name: 'merged' }),
        }),
      ),
    )
    expect(new Set(all.map(({ operation }) => operation.id)).size).toBe(1)
    expect(all.filter(({ coalesced }) => !coalesced)).toHaveLength(1)
    expect(await bench.read(bankId, all[0]?.operation.id ?? '')).toMatchObject({
      payload: { name: 'merged' },
    })
  })

  it('lets a parent follow its children', async () => {
    run.current = async ({ payload }) => {
      if (payload.name === 'bad')
        throw new OperationFailure({
          code: 'UNAVAILABLE',
          reason: 'NO',
          message: 'no',
          retryable: false,
        })
      return { detail: { ok: true } }
    }
    const parent = (await bench.submit(bankId, { type: 'BATCH_RETAIN', payload: null })).operation
    for (const name of ['good', 'bad'])
      await bench.submit(bankId, { payload: { name }, parentId: parent.id })
    start()
    await hasStatus(parent.id, 'FAILED')
    expect(await bench.read(bankId, parent.id)).toMatchObject({
      detail: { parts: 2 },
      error: { reason: 'NO' },
    })
    run.current = async () => ({})
    await bench.queue.retry(bankId, parent.id)
    await hasStatus(parent.id, 'COMPLETED')
  })
})
