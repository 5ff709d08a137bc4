import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '../../src/platform/db/database.ts'
import { OperationFailure } from '../../src/platform/operations/operation.ts'
import { openTestDatabase } from '../support/database.ts'
import { createBank, createBench, eventually } from '../support/tasks.ts'

type Run = Parameters<typeof createBench>[1]

let db: Database
let bench: ReturnType<typeof createBench>
let worker: ReturnType<typeof bench.worker>
const run: Run = { current: async () => ({}) }
let bankId = ''
let banks = 0

/** Rolls every transaction back once before it counts, as a deadlock would. */
function alwaysRetrying(database: Database): Database {
  const rollback = new Error('rolled back')
  return Object.create(database, {
    transaction: {
      value: async <T>(work: (tx: Transaction) => Promise<T>) => {
        const attempt = database.transaction(async (tx) => {
          await work(tx)
          throw rollback
        })
        await attempt.catch((error: unknown) => {
          if (error !== rollback) throw error
        })
        return database.transaction(work)
      },
    },
  }) as Database
}

/** Commits at once, but the answer to it comes only when the gate opens. */
function answeringAfter(database: Database, gate: Promise<void>): Database {
  return Object.create(database, {
    transaction: {
      value: async <T>(work: (tx: Transaction) => Promise<T>) => {
        const result = await database.transaction(work)
        await gate
        return result
      },
    },
  }) as Database
}

beforeAll(async () => {
  db = await openTestDatabase()
  bench = createBench(db, run)
})
beforeEach(async () => {
  banks += 1
  bankId = `bank-${banks}`
  await createBank(db, bankId)
  worker = bench.worker()
})
afterEach(async () => {
  await worker.stop(0)
  await db.execute('DELETE FROM operation')
})
afterAll(async () => {
  await bench.hub.close()
  await db.close()
})

const untilAborted: Run['current'] = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    if (signal.aborted) reject(signal.reason)
  })
const hasStatus = (id: string, status: string) =>
  eventually(async () => (await bench.read(bankId, id)).status === status)

describe('a worker that stops', () => {
  it('also ends what it was claiming at that moment', async () => {
    run.current = untilAborted
    const { operation } = await bench.submit(bankId)
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = createBench(answeringAfter(db, gate), run)
    worker = slow.worker()
    worker.start()
    await hasStatus(operation.id, 'PROCESSING')
    const stopping = worker.stop(0)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(worker.running).toBe(0)
    release()
    await stopping
    await slow.hub.close()
    expect(await bench.read(bankId, operation.id)).toMatchObject({
      status: 'PENDING',
      attempt: 0,
      fence: 1n,
    })
  })

  it('leaves nothing claimed when a newer operation that does the same is pending', async () => {
    run.current = (context) => {
      context.addUsage({ inputTokens: 10, outputTokens: 3 })
      return untilAborted(context)
    }
    const { operation } = await bench.submit(bankId, { coalesceKey: 'model' })
    worker.start()
    await hasStatus(operation.id, 'PROCESSING')
    const stopping = worker.stop(100)
    const newer = await bench.submit(bankId, { coalesceKey: 'model' })
    expect(newer.coalesced).toBe(false)
    await stopping
    expect(await bench.read(bankId, operation.id)).toMatchObject({
      status: 'FAILED',
      leaseUntil: null,
      error: { reason: 'REPLACED' },
      inputTokens: 10n,
    })
    expect(await bench.read(bankId, newer.operation.id)).toMatchObject({ status: 'PENDING' })
  })
})

describe('an attempt', () => {
  it('completes after a failed one, and its error is gone', async () => {
    let calls = 0
    run.current = async () => {
      calls += 1
      if (calls > 1) return { detail: { calls } }
      throw new OperationFailure({
        code: 'UNAVAILABLE',
        reason: 'DOWN',
        message: 'down',
        retryable: true,
      })
    }
    const { operation } = await bench.submit(bankId)
    worker.start()
    await eventually(async () => (await bench.read(bankId, operation.id)).error !== null)
    bench.advance(5_000)
    await hasStatus(operation.id, 'COMPLETED')
    expect(await bench.read(bankId, operation.id)).toMatchObject({
      attempt: 2,
      error: null,
      parkedReason: null,
      detail: { calls: 2 },
    })
  })

  it('keeps its last progress and counts its usage once when a transaction is tried again', async () => {
    const retrying = createBench(alwaysRetrying(db), run)
    run.current = async ({ progress, addUsage }) => {
      await progress({ stage: 'storing', processed: 1, total: 9 })
      await progress({ stage: 'storing', processed: 2, total: 9 })
      addUsage({ inputTokens: 10, outputTokens: 3 })
      return {}
    }
    const { operation } = await bench.submit(bankId)
    worker = retrying.worker()
    worker.start()
    await hasStatus(operation.id, 'COMPLETED')
    await retrying.hub.close()
    expect(await bench.read(bankId, operation.id)).toMatchObject({
      attempt: 1,
      progress: { stage: 'storing', processed: 2, total: 9 },
      inputTokens: 10n,
      outputTokens: 3n,
    })
  })
})

describe('a parent', () => {
  it('keeps the instant at which its first child started', async () => {
    const parent = (await bench.submit(bankId, { type: 'BATCH_RETAIN', payload: null })).operation
    const child = (await bench.submit(bankId, { parentId: parent.id })).operation
    run.current = async () => {
      throw new OperationFailure({
        code: 'UNAVAILABLE',
        reason: 'DOWN',
        message: 'down',
        retryable: true,
      })
    }
    const started = bench.now()
    worker.start()
    await eventually(async () => (await bench.read(bankId, child.id)).error !== null)
    run.current = async () => ({})
    bench.advance(5_000)
    await hasStatus(parent.id, 'COMPLETED')
    expect((await bench.read(bankId, parent.id)).startedAt).toEqual(started)
  })
})
