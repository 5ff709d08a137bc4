import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import { lockBankClock } from '../../src/platform/events/bank-clock.ts'
import { encodeCursor, InvalidCursorError } from '../../src/platform/events/cursor.ts'
import { UnknownStreamError } from '../../src/platform/events/event-hub.ts'
import { SlowConsumerError, type StreamItem } from '../../src/platform/events/event-stream.ts'
import { openTestDatabase } from '../support/database.ts'
import { createBank, createBench } from '../support/tasks.ts'

let db: Database
let bench: ReturnType<typeof createBench>
let bankId = ''
let banks = 0

beforeAll(async () => {
  db = await openTestDatabase()
  bench = createBench(db, { current: async () => ({}) })
})
beforeEach(async () => {
  banks += 1
  bankId = `stream-${banks}`
  await createBank(db, bankId)
})
afterAll(async () => {
  await bench.hub.close()
  await db.close()
})

function append(
  numbers: readonly number[],
  stateKey: string | null = null,
  to = bankId,
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockBankClock(tx, to)
    const events = numbers.map((n) => ({ type: 'TEST', stateKey, payload: { n } }))
    await bench.log.append(tx, to, events, bench.now())
  })
}
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)
const open = (after: string | null = null) =>
  bench.hub.bankStream(bankId, { after, filter: () => true })

async function take(
  stream: AsyncIterableIterator<StreamItem>,
  count: number,
): Promise<StreamItem[]> {
  const items: StreamItem[] = []
  while (items.length < count) {
    const { value, done } = await stream.next()
    if (done) break
    items.push(value)
  }
  return items
}
const numbers = (items: readonly StreamItem[]) =>
  items.map((item) => (item.kind === 'event' ? item.event.payload.n : item.kind))

describe('the log', () => {
  it('numbers concurrent appends without a gap', async () => {
    await Promise.all(range(1, 20).map((n) => append([n, -n])))
    const events = await bench.log.read(bankId, 0, 100)
    expect(events.map(({ seq }) => seq)).toEqual(range(1, 40))
  })
})

describe('a stream of one bank', () => {
  it('opens with a cursor, then is live', async () => {
    await append([1])
    const stream = await open()
    await append([2])
    expect(numbers(await take(stream, 2))).toEqual(['opened', 2])
    const waiting = stream.next()
    await append([3])
    expect(await waiting).toMatchObject({ done: false, value: { event: { payload: { n: 3 } } } })
    await stream.return?.()
  })

  it('goes on after any cursor, each event once and in order', async () => {
    const first = await open()
    await append(range(1, 30))
    const items = await take(first, 31)
    await first.return?.()
    for (const cut of [0, 1, 17, 29]) {
      const stream = await open(items[cut]?.cursor ?? null)
      expect(numbers(await take(stream, 31 - cut)).slice(1)).toEqual(range(cut + 1, 30))
      await stream.return?.()
    }
  })

  it('replays more history than is kept in memory', async () => {
    const { cursor } = (await take(await open(), 1))[0] ?? { cursor: '' }
    await append(range(1, 2_500))
    const stream = await open(cursor)
    expect(numbers(await take(stream, 2_501)).slice(1)).toEqual(range(1, 2_500))
    await stream.return?.()
  })

  it('gives a late reader only the newest of a state, and every log event', async () => {
    const stream = await open()
    await take(stream, 1)
    const waiting = stream.next()
    await append([0])
    await waiting
    await append([1, 2, 3], 'progress')
    await append([4])
    await append([5], 'progress')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(numbers(await take(stream, 2))).toEqual([4, 5])
    await stream.return?.()
  })

  it('closes a live reader that more than 1,000 log events wait for', async () => {
    const stream = await open()
    await take(stream, 1)
    const waiting = stream.next()
    await append([0])
    await waiting
    await append(range(1, 1_200))
    await new Promise((resolve) => setTimeout(resolve, 200))
    await expect(stream.next()).rejects.toBeInstanceOf(SlowConsumerError)
  })

  it('settles a waiting read at once when the reader leaves', async () => {
    const before = bench.hub.openStreams
    const stream = await open()
    await take(stream, 1)
    const waiting = stream.next()
    await stream.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(bench.hub.openStreams).toBe(before)
  })

  it('says so when the cursor is older than the log, and goes on live', async () => {
    const { cursor } = (await take(await open(), 1))[0] ?? { cursor: '' }
    await append(range(1, 5))
    bench.advance(1_000)
    expect(await bench.log.trim(bench.now(), 10_000)).toBeGreaterThanOrEqual(5)
    const stream = await open(cursor)
    await append([6])
    expect(numbers(await take(stream, 3))).toEqual(['opened', 'reset', 6])
    await stream.return?.()
  })

  it('knows no bank that never was, and no cursor of another stream', async () => {
    await expect(
      bench.hub.bankStream('never', { after: null, filter: () => true }),
    ).rejects.toBeInstanceOf(UnknownStreamError)
    for (const wrong of [
      'x',
      encodeCursor({ kind: 'all', xid: 1, id: 1 }),
      encodeCursor({ kind: 'bank', bankId: 'other', seq: 1 }),
    ]) {
      await expect(open(wrong)).rejects.toBeInstanceOf(InvalidCursorError)
    }
    const mine = encodeCursor({ kind: 'bank', bankId, seq: 0 })
    await expect(bench.hub.allStream({ after: mine, filter: () => true })).rejects.toBeInstanceOf(
      InvalidCursorError,
    )
  })
})

describe('the stream over all banks', () => {
  it('carries every bank, and goes on after its cursor', async () => {
    const other = `${bankId}-other`
    await createBank(db, other)
    const filter = (event: { bankId: string }) => event.bankId.startsWith(bankId)
    const stream = await bench.hub.allStream({ after: null, filter })
    await append([1])
    await append([2], null, other)
    const items = await take(stream, 3)
    expect(numbers(items)).toEqual(['opened', 1, 2])
    await stream.return?.()
    const resumed = await bench.hub.allStream({ after: items[1]?.cursor ?? null, filter })
    await append([3])
    expect(numbers(await take(resumed, 3))).toEqual(['opened', 2, 3])
    await resumed.return?.()
  })
})
