import type { BankEvent } from './event.ts'
import type { Tail } from './tail.ts'

/** Log events that may wait for a live subscriber; one more closes it. It comes back with its cursor. */
export const MAX_PENDING_EVENTS = 1_000

/** A live subscriber did not take events as fast as they came. */
export class SlowConsumerError extends Error {
  override readonly name = 'SlowConsumerError'
}

export interface StreamEventItem {
  readonly kind: 'event'
  readonly cursor: string
  readonly event: BankEvent
}

export type StreamItem =
  | { readonly kind: 'opened'; readonly cursor: string; readonly at: Date }
  | { readonly kind: 'reset'; readonly cursor: string; readonly at: Date; readonly reason: string }
  | StreamEventItem

export interface EventStreamOptions<Position> {
  readonly tail: Tail<Position>
  readonly positionOf: (event: BankEvent) => Position
  readonly cursorOf: (position: Position) => string
  /** First what the client is told on opening, then what comes after `from`. */
  readonly opening: readonly StreamItem[]
  readonly from: Position
  readonly filter: (event: BankEvent) => boolean
  /** True for the event after which the stream has nothing more to say. */
  readonly isLast: (event: BankEvent) => boolean
  /** Called once, after history and before live events. True ends the stream. */
  readonly onCaughtUp?: () => Promise<boolean>
  readonly onClose: () => void
}

/**
 * One subscriber's stream. It pulls: only its position is kept for it, so a client that reads slowly costs no memory,
 * and reading resumes from the shared tail or the log. Attached when made, not at the first `next()`, and `return()`
 * settles a waiting `next()` at once; async generators do neither.
 */
export class EventStream<Position> implements AsyncIterableIterator<StreamItem> {
  readonly #options: EventStreamOptions<Position>
  readonly #detach: () => void
  readonly #pending: StreamItem[]
  #position: Position
  #live = false
  #ended = false
  #closed = false
  #turn: Promise<unknown> = Promise.resolve()
  #wake: (() => void) | null = null

  constructor(options: EventStreamOptions<Position>) {
    this.#options = options
    this.#pending = [...options.opening]
    this.#position = options.from
    this.#detach = options.tail.onMore(() => this.#wake?.())
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<StreamItem>> {
    const result = this.#turn.then(() => this.#next())
    this.#turn = result.catch(() => {})
    return result
  }

  async return(): Promise<IteratorResult<StreamItem>> {
    this.#close()
    return { done: true, value: undefined }
  }

  async #next(): Promise<IteratorResult<StreamItem>> {
    try {
      while (!this.#closed) {
        const item = this.#pending.shift()
        if (item) return { done: false, value: item }
        if (this.#ended) break
        await this.#fill()
      }
    } catch (error) {
      this.#close()
      throw error
    }
    this.#close()
    return { done: true, value: undefined }
  }

  async #fill(): Promise<void> {
    const more = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const events = await this.#options.tail.after(this.#position)
    if (events.length > 0) {
      this.#take(events)
      if (this.#live) await this.#takeRest()
    } else if (!this.#live) {
      this.#live = true
      this.#ended ||= (await this.#options.onCaughtUp?.()) ?? false
    } else if (!this.#closed) await more
  }

  /** A live subscriber that comes late sees all that waits for it, so that states can be reduced to the newest. */
  async #takeRest(): Promise<void> {
    while (!this.#ended && !this.#closed) {
      const events = await this.#options.tail.after(this.#position)
      if (events.length === 0) return
      this.#take(events)
    }
  }

  #take(events: readonly BankEvent[]): void {
    const { positionOf, cursorOf, filter, isLast } = this.#options
    for (const event of events) {
      this.#position = positionOf(event)
      if (filter(event)) {
        this.#push({ kind: 'event', cursor: cursorOf(this.#position), event })
      }
      if (isLast(event)) {
        this.#ended = true
        return
      }
    }
  }

  #push(item: StreamEventItem): void {
    const { bankId, stateKey } = item.event
    if (stateKey !== null) {
      const older = this.#pending.findIndex(
        (other) =>
          other.kind === 'event' &&
          other.event.stateKey === stateKey &&
          other.event.bankId === bankId,
      )
      if (older >= 0) this.#pending.splice(older, 1)
    }
    this.#pending.push(item)
    if (this.#live && this.#pending.length > MAX_PENDING_EVENTS) {
      throw new SlowConsumerError(
        `More than ${MAX_PENDING_EVENTS} events wait for this subscription. Subscribe again after the last cursor received.`,
      )
    }
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#pending.length = 0
    this.#detach()
    this.#wake?.()
    this.#options.onClose()
  }
}
