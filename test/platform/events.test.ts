import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { lockBankClock } from '../../src/platform/events/bank-clock.ts'
import { encodeCursor } from '../../src/platform/events/cursor.ts'
import type { BankEvent } from '../../src/platform/events/event.ts'
import { Tail } from '../../src/platform/events/tail.ts'
import { openTestDatabase, testEngine } from '../support/database.ts'
import { createBank, createBench } from '../support/tasks.ts'

describe('a tail', () => {
  const event = (seq: number): BankEvent => ({
    bankId: 'b',
    seq,
    xid: seq,
    id: seq,
    type: 'TEST',
    operationId: null,
    mentalModelId: null,
    stateKey: null,
    payload: {},
    at: new Date(0),
  })

  // The moment between the end of a run and the settling of its promise is a few microtasks long; one of these hits it.
  it.each(Array.from({ length: 12 }, (_, i) => i))(
    'looks again when asked %i microtasks after a look began',
    async (delay) => {
      const log: BankEvent[] = []
      const tail = new Tail<number>(
        {
          read: async (after) => log.filter(({ seq }) => seq > after),
          positionOf: ({ seq }) => seq,
          compare: (a, b) => a - b,
        },
        0,
      )
      const first = tail.follow()
      for (let i = 0; i < delay; i += 1) await Promise.resolve()
      log.push(event(1))
      await tail.follow()
      await first
      expect(tail.head).toBe(1)
    },
  )
})

describe('the stream over all banks', () => {
  let db: Database
  let bench: ReturnType<typeof createBench>
  beforeAll(async () => {
    db = await openTestDatabase()
    bench = createBench(db, { current: async () => ({}) })
    for (const bankId of ['one', 'two']) await createBank(db, bankId)
  })
  afterAll(async () => {
    await bench.hub.close()
    await db.close()
  })
  const append = (bankId: string, n: number, during: Promise<unknown> = Promise.resolve()) =>
    db.transaction(async (tx) => {
      await lockBankClock(tx, bankId)
      await bench.log.append(tx, bankId, [{ type: 'TEST', payload: { n } }], bench.now())
      await during
    })
  const open = (after: string | null) => bench.hub.allStream({ after, filter: () => true })

  it('says so when the cursor is ahead of the log, as after a restored backup', async () => {
    const stream = await open(encodeCursor({ kind: 'all', xid: 9e12, id: 1 }))
    expect((await stream.next()).value).toMatchObject({ kind: 'opened' })
    expect((await stream.next()).value).toMatchObject({ kind: 'reset' })
    await append('one', 1)
    expect((await stream.next()).value).toMatchObject({ event: { payload: { n: 1 } } })
    await stream.return?.()
  })

  it('takes back the cursor that it opened with', async () => {
    const stream = await open(null)
    const cursor = (await stream.next()).value?.cursor ?? ''
    await stream.return?.()
    const again = await open(cursor)
    expect((await again.next()).value).toMatchObject({ kind: 'opened', cursor })
    await append('one', 2)
    expect((await again.next()).value).toMatchObject({ event: { payload: { n: 2 } } })
    await again.return?.()
  })

  // The embedded engine has one session, so two transactions cannot be open at once there.
  if (testEngine === 'server')
    it('loses no event of a transaction that began first and commits last', async () => {
      const stream = await open(null)
      await stream.next()
      let release = () => {}
      const slow = append('one', 3, new Promise<void>((resolve) => (release = resolve)))
      await new Promise((resolve) => setTimeout(resolve, 100))
      await append('two', 4)
      const next = stream.next()
      const early = new Promise((resolve) => setTimeout(resolve, 200, 'nothing yet'))
      expect(await Promise.race([next, early])).toBe('nothing yet')
      release()
      await slow
      expect((await next).value).toMatchObject({ event: { payload: { n: 3 } } })
      expect((await stream.next()).value).toMatchObject({ event: { payload: { n: 4 } } })
      await stream.return?.()
    })
})
