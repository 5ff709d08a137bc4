import type { BankEvent } from './event.ts'

/** Newest events kept for all subscribers of a tail together, so that one commit costs one read. */
const KEPT_EVENTS = 1_000
const PAGE_SIZE = 500

/** What a tail follows: one bank's log, or the stream over all banks. */
export interface TailSource<Position> {
  read(after: Position, limit: number): Promise<BankEvent[]>
  positionOf(event: BankEvent): Position
  compare(a: Position, b: Position): number
}

/**
 * The shared end of one stream: follows the log on each wake and keeps the newest events. A subscriber asks for what
 * comes after its own position, and is served from here, or from the log when it is further behind.
 */
export class Tail<Position> {
  readonly #source: TailSource<Position>
  readonly #waiters = new Set<() => void>()
  #kept: BankEvent[] = []
  /** Everything after this position up to the head is in #kept. */
  #floor: Position
  #head: Position
  #following: Promise<void> | null = null
  #again = false

  constructor(source: TailSource<Position>, head: Position) {
    this.#source = source
    this.#floor = head
    this.#head = head
  }

  get head(): Position {
    return this.#head
  }

  /** Calls back when there may be more. */
  onMore(callback: () => void): () => void {
    this.#waiters.add(callback)
    return () => void this.#waiters.delete(callback)
  }

  /** Up to PAGE_SIZE events after `position`; empty only when there are none up to the tail's head. */
  async after(position: Position): Promise<readonly BankEvent[]> {
    if (this.#source.compare(position, this.#floor) < 0) {
      return this.#source.read(position, PAGE_SIZE)
    }
    const { compare, positionOf } = this.#source
    const first = this.#kept.findIndex((event) => compare(positionOf(event), position) > 0)
    return first < 0 ? [] : this.#kept.slice(first, first + PAGE_SIZE)
  }

  /** Reads on until there is nothing new. Calls during a run make it look once more; they share its promise. */
  follow(): Promise<void> {
    this.#again = true
    this.#following ??= this.#run()
    return this.#following
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false
        const events = await this.#source.read(this.#head, PAGE_SIZE)
        if (events.length === 0) continue
        this.#keep(events)
        this.#again ||= events.length === PAGE_SIZE
        for (const waiter of [...this.#waiters]) waiter()
      }
    } finally {
      // In the same step as the last look at #again: a moment later, a call would join a run that no longer looks.
      this.#following = null
    }
  }

  #keep(events: readonly BankEvent[]): void {
    this.#kept.push(...events)
    const newest = this.#kept.at(-1)
    if (newest) this.#head = this.#source.positionOf(newest)
    const surplus = this.#kept.splice(0, Math.max(0, this.#kept.length - KEPT_EVENTS)).at(-1)
    if (surplus) this.#floor = this.#source.positionOf(surplus)
  }
}
