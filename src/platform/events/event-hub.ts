import { allPosition, bankSeq, encodeCursor } from './cursor.ts'
import type { BankEvent } from './event.ts'
import type { EventLog } from './event-log.ts'
import { EventStream, type StreamItem } from './event-stream.ts'
import { Tail, type TailSource } from './tail.ts'

/** Wakes closer together than this are answered with one look. */
const GATHER_MS = 5
/** Looks at the log without a wake, for when the notification was lost. */
const POLL_MS = 2_000
/** While an older transaction keeps settled events hidden from the stream over all banks, look again this soon. */
const UNSETTLED_POLL_MS = 50
const UNSETTLED_POLLS = 40

interface AllPosition {
  readonly xid: number
  readonly id: number
}

export interface StreamRequest {
  readonly after: string | null
  readonly filter: (event: BankEvent) => boolean
  readonly isLast?: (event: BankEvent) => boolean
  readonly onCaughtUp?: () => Promise<boolean>
}

/** The bank of a stream never was, or is gone. */
export class UnknownStreamError extends Error {
  override readonly name = 'UnknownStreamError'
}

/** Gives each subscriber its stream, and all subscribers of one log one shared reader. */
export class EventHub {
  readonly #log: EventLog
  readonly #now: () => Date
  readonly #banks = new Map<string, { tail: Tail<number>; users: number }>()
  readonly #streams = new Set<{ return(): Promise<unknown> }>()
  readonly #stopListening: () => void
  readonly #poll: NodeJS.Timeout
  #all: { tail: Tail<AllPosition>; users: number } | null = null
  #gather: NodeJS.Timeout | null = null
  #unsettledPolls = 0
  #closed = false
  readonly #onError: (error: unknown) => void

  constructor(log: EventLog, now: () => Date, onError: (error: unknown) => void) {
    this.#log = log
    this.#now = now
    this.#onError = onError
    this.#stopListening = log.onAppended(() => this.#wake(true))
    this.#poll = setInterval(() => this.#wake(false), POLL_MS)
  }

  get openStreams(): number {
    return this.#streams.size
  }

  /** Throws UnknownStreamError for a bank that never was, InvalidCursorError for a cursor that is not the bank's. */
  async bankStream(
    bankId: string,
    request: StreamRequest,
  ): Promise<AsyncIterableIterator<StreamItem>> {
    const after = request.after === null ? null : bankSeq(request.after, bankId)
    const entry = await this.#bankTail(bankId)
    try {
      const bounds = await this.#log.bounds(bankId)
      if (!bounds) throw new UnknownStreamError('There is no such bank.')
      await entry.tail.follow()
      const reset = after !== null && (after < bounds.trimmed || after > bounds.head)
      const from = after === null || reset ? bounds.head : after
      const cursorOf = (seq: number) => encodeCursor({ kind: 'bank', bankId, seq })
      return this.#open(request, {
        tail: entry.tail,
        positionOf: (event) => event.seq,
        cursorOf,
        from,
        reset,
        release: () => this.#releaseBank(bankId),
      })
    } catch (error) {
      this.#releaseBank(bankId)
      throw error
    }
  }

  /** Throws InvalidCursorError for a bank's cursor. The caller's filter decides which banks may be seen. */
  async allStream(request: StreamRequest): Promise<AsyncIterableIterator<StreamItem>> {
    const after = request.after === null ? null : allPosition(request.after)
    const bounds = await this.#log.allBounds()
    this.#all ??= { tail: new Tail(allSource(this.#log), bounds.head), users: 0 }
    const entry = this.#all
    entry.users += 1
    const reset =
      after !== null &&
      (compareAll(after, bounds.trimmed) < 0 || compareAll(after, bounds.head) > 0)
    return this.#open(request, {
      tail: entry.tail,
      positionOf: (event) => ({ xid: event.xid, id: event.id }),
      cursorOf: (position) => encodeCursor({ kind: 'all', ...position }),
      from: after === null || reset ? bounds.head : after,
      reset,
      release: () => {
        entry.users -= 1
        if (entry.users === 0 && this.#all === entry) this.#all = null
      },
    })
  }

  /** Ends every stream; clients have been told to come back by then. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#poll)
    if (this.#gather) clearTimeout(this.#gather)
    this.#stopListening()
    await Promise.all([...this.#streams].map((stream) => stream.return()))
  }

  #open<Position>(
    request: StreamRequest,
    source: {
      tail: Tail<Position>
      positionOf: (event: BankEvent) => Position
      cursorOf: (position: Position) => string
      from: Position
      reset: boolean
      release: () => void
    },
  ): AsyncIterableIterator<StreamItem> {
    const cursor = source.cursorOf(source.from)
    const at = this.#now()
    const opening: StreamItem[] = [{ kind: 'opened', cursor, at }]
    if (source.reset) opening.push({ kind: 'reset', cursor, at, reason: 'EXPIRED' })
    const stream = new EventStream({
      ...source,
      opening,
      filter: request.filter,
      isLast: request.isLast ?? (() => false),
      ...(request.onCaughtUp ? { onCaughtUp: request.onCaughtUp } : {}),
      onClose: () => {
        this.#streams.delete(stream)
        source.release()
      },
    })
    this.#streams.add(stream)
    if (this.#closed) void stream.return()
    return stream
  }

  async #bankTail(bankId: string): Promise<{ tail: Tail<number>; users: number }> {
    const known = this.#banks.get(bankId)
    if (known) {
      known.users += 1
      return known
    }
    const head = (await this.#log.bounds(bankId))?.head ?? 0
    const entry = this.#banks.get(bankId) ?? {
      tail: new Tail(bankSource(this.#log, bankId), head),
      users: 0,
    }
    entry.users += 1
    this.#banks.set(bankId, entry)
    return entry
  }

  #releaseBank(bankId: string): void {
    const entry = this.#banks.get(bankId)
    if (!entry) return
    entry.users -= 1
    if (entry.users === 0) this.#banks.delete(bankId)
  }

  #wake(appended: boolean): void {
    if (appended) this.#unsettledPolls = UNSETTLED_POLLS
    if (this.#closed || this.#gather || (this.#banks.size === 0 && !this.#all)) return
    this.#gather = setTimeout(() => {
      this.#gather = null
      this.#look().catch(this.#onError)
    }, GATHER_MS)
  }

  async #look(): Promise<void> {
    const heads = await this.#log.heads([...this.#banks.keys()])
    const changed = [...this.#banks].filter(
      ([bankId, { tail }]) => (heads.get(bankId) ?? 0) > tail.head,
    )
    await Promise.all([...changed.map(([, { tail }]) => tail.follow()), this.#followAll()])
  }

  async #followAll(): Promise<void> {
    if (!this.#all) return
    const before = this.#all.tail.head
    await this.#all.tail.follow()
    if (this.#all?.tail.head !== before) this.#unsettledPolls = 0
    if (this.#closed || this.#unsettledPolls <= 0) return
    this.#unsettledPolls -= 1
    setTimeout(() => this.#wake(false), UNSETTLED_POLL_MS).unref()
  }
}

function bankSource(log: EventLog, bankId: string): TailSource<number> {
  return {
    read: (after, limit) => log.read(bankId, after, limit),
    positionOf: (event) => event.seq,
    compare: (a, b) => a - b,
  }
}

function allSource(log: EventLog): TailSource<AllPosition> {
  return {
    read: (after, limit) => log.readAll(after, limit),
    positionOf: ({ xid, id }) => ({ xid, id }),
    compare: compareAll,
  }
}

function compareAll(a: AllPosition, b: AllPosition): number {
  return a.xid - b.xid || a.id - b.id
}
