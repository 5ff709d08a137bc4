import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../../src/platform/db/database.ts'
import { EventHub } from '../../src/platform/events/event-hub.ts'
import { createEventLog } from '../../src/platform/events/event-log.ts'
import { OperationQueue, type Submission } from '../../src/platform/operations/operation-queue.ts'
import {
  type AnyTask,
  defineTask,
  type ParentKind,
  type RunContext,
  type RunResult,
} from '../../src/platform/operations/task.ts'
import { Worker } from '../../src/platform/operations/worker.ts'

type Run = (context: RunContext<{ name: string }>) => Promise<RunResult>

/** Queue, log, hub and workers over a database, with one task whose handler the test writes and a time that it sets. */
export function createBench(db: Database, run: { current: Run }) {
  let time = new Date('2026-05-06T12:00:00Z').getTime()
  const now = () => new Date(time)
  const log = createEventLog(db)
  const hub = new EventHub(log, now, () => {})
  const task = defineTask({
    type: 'RETAIN',
    payload: z.object({ name: z.string() }),
    maxAttempts: 3,
    timeoutMs: 10_000,
    run: (context: RunContext<{ name: string }>) => run.current(context),
  })
  const tasks = new Map<string, AnyTask>([['RETAIN', task]])
  const parents = new Map<string, ParentKind>([
    ['BATCH_RETAIN', { type: 'BATCH_RETAIN', summarise: (details) => ({ parts: details.length }) }],
  ])
  const ledger = { db, log, now, tasks, parents }
  const queue = new OperationQueue(ledger)
  return {
    ...ledger,
    hub,
    queue,
    advance: (ms: number) => {
      time += ms
    },
    worker: () => new Worker({ ...ledger, workerId: randomUUID(), slots: 2, onError: () => {} }),
    submit: (bankId: string, submission: Partial<Submission> = {}) =>
      db.transaction((tx) =>
        queue.submit(tx, bankId, { type: 'RETAIN', payload: { name: 'x' }, ...submission }),
      ),
    read: (bankId: string, id: string) =>
      db.prisma.operation.findUniqueOrThrow({ where: { bankId_id: { bankId, id } } }),
  }
}

export async function createBank(db: Database, bankId: string): Promise<void> {
  await db.execute('INSERT INTO bank (bank_id, created_at, updated_at) VALUES ($1, now(), now())', [
    bankId,
  ])
  await db.execute('INSERT INTO bank_clock (bank_id) VALUES ($1)', [bankId])
}

/** Resolves when `check` holds; rejects after ten seconds. */
export async function eventually(check: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await check())) {
    if (Date.now() > end) throw new Error('It never came to hold.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
