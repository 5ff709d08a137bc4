import { Attempt, SHUTDOWN } from './attempt.ts'
import { claimNext, type Ledger } from './claim.ts'
import { ClaimLostError } from './operation.ts'

/** Looks for work without a wake: for what became due with time, and for a lost notification. */
const POLL_MS = 500

export interface WorkerOptions extends Ledger {
  readonly workerId: string
  /** Operations run at once by this process. */
  readonly slots: number
  readonly onError: (error: unknown) => void
}

/** Claims operations and runs them. Correct with polling alone; wakes only make it quick. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #attempts = new Map<Attempt, Promise<void>>()
  #poll: NodeJS.Timeout | null = null
  #stopListening: (() => void) | null = null
  #pumping = false
  #again = false
  #stopped = true
  #graceOver = false

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#attempts.size
  }

  start(): void {
    if (!this.#stopped) return
    this.#stopped = false
    this.#graceOver = false
    this.#poll = setInterval(() => this.#wake(), POLL_MS)
    this.#stopListening = this.#options.log.onAppended(() => this.#wake())
    this.#wake()
  }

  /** Claims nothing more and waits for what runs; what still runs after `graceMs` is put back for another worker. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true
    if (this.#poll) clearInterval(this.#poll)
    this.#stopListening?.()
    const deadline = setTimeout(() => {
      this.#graceOver = true
      for (const attempt of this.#attempts.keys()) attempt.abort(SHUTDOWN)
    }, graceMs)
    while (this.#attempts.size > 0 || this.#pumping) {
      await Promise.all(this.#attempts.values())
      await new Promise((resolve) => setImmediate(resolve))
    }
    clearTimeout(deadline)
  }

  #wake(): void {
    this.#again = true
    if (!this.#pumping) void this.#pump()
  }

  async #pump(): Promise<void> {
    this.#pumping = true
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false
        await this.#dropLostClaims()
        await this.#claimAll()
      }
    } catch (error) {
      this.#options.onError(error)
    } finally {
      this.#pumping = false
    }
  }

  async #claimAll(): Promise<void> {
    while (!this.#stopped && this.#attempts.size < this.#options.slots) {
      const operation = await claimNext(this.#options, this.#options.workerId)
      if (!operation) return
      const task = this.#options.tasks.get(operation.type)
      if (!task) return
      const attempt = new Attempt(this.#options, task, operation, this.#options.onError)
      const running = attempt.run().finally(() => {
        this.#attempts.delete(attempt)
        this.#wake()
      })
      this.#attempts.set(attempt, running)
      // It was being claimed when all others were told to end.
      if (this.#graceOver) attempt.abort(SHUTDOWN)
    }
  }

  /** A cancelled operation's handler hears of it at the next wake, not at its next write. */
  async #dropLostClaims(): Promise<void> {
    if (this.#attempts.size === 0) return
    const attempts = [...this.#attempts.keys()]
    const held = await this.#options.db.prisma.operation.findMany({
      where: {
        OR: attempts.map(({ operation: { bankId, id } }) => ({ bankId, id })),
        status: 'PROCESSING',
      },
      select: { bankId: true, id: true, fence: true },
    })
    for (const attempt of attempts) {
      const { bankId, id, fence } = attempt.operation
      const holds = held.some(
        (row) => row.bankId === bankId && row.id === id && row.fence === fence,
      )
      if (!holds)
        attempt.abort(
          new ClaimLostError('The operation was cancelled or claimed by another worker.'),
        )
    }
  }
}
