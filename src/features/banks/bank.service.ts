import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client.ts'
import { ConflictError, NotFoundError, ValidationError } from '../../lib/errors.ts'
import type { Page, PageArguments } from '../../lib/paging.ts'
import { parseInput } from '../../lib/validation.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { ensureBankClock, lockBankClock } from '../../platform/events/bank-clock.ts'
import { encodeCursor } from '../../platform/events/cursor.ts'
import type { EventLog } from '../../platform/events/event-log.ts'
import type { OperationQueue } from '../../platform/operations/operation-queue.ts'
import {
  type Bank,
  deleteBankRow,
  findBank,
  insertBank,
  listBanks,
  trimBankLog,
  updateBankRow,
} from './bank.store.ts'
import type { BankConfig } from './bank-config.ts'
import { checkTogether, checkValues, resolveConfig } from './bank-config-rules.ts'
import { keySchema, nameSchema } from './bank-id.ts'

export const BANK_CHANGED = 'BANK_CHANGED'

type ConfigPatch = Readonly<Record<string, unknown>>

export interface BankServiceOptions {
  readonly db: Database
  readonly log: EventLog
  readonly queue: OperationQueue
  readonly now: () => Date
  readonly defaults: BankConfig
}

const idInput = z.object({ bankId: keySchema })
const namedInput = z.object({ bankId: keySchema, name: nameSchema.nullish() })

export class BankService {
  readonly #options: BankServiceOptions

  constructor(options: BankServiceOptions) {
    this.#options = options
  }

  find(bankId: string): Promise<Bank | null> {
    return keySchema.safeParse(bankId).success
      ? findBank(this.#options.db, bankId)
      : Promise.resolve(null)
  }

  list(
    args: PageArguments,
    search: string | null,
    bankIds: readonly string[] | null,
  ): Promise<Page<Bank>> {
    return listBanks(this.#options.db, args, { search, bankIds })
  }

  /** The server's defaults with the bank's overrides over them. */
  config(bank: Bank): BankConfig {
    return resolveConfig(this.#options.defaults, bank.config)
  }

  /** Read it with the data; a subscription after it misses nothing. */
  async streamCursor(bankId: string): Promise<string> {
    const bounds = await this.#options.log.bounds(bankId)
    return encodeCursor({ kind: 'bank', bankId, seq: bounds?.head ?? 0 })
  }

  /** Throws ValidationError, or ConflictError BANK_EXISTS. */
  create(input: {
    bankId: string
    name?: string | null
    config?: ConfigPatch | null
  }): Promise<Bank> {
    const { bankId, name } = parseInput(namedInput, input)
    const overrides = this.#merged({}, input.config ?? {}, ['config'])
    return this.#options.db.transaction(async (tx) => {
      if (!(await this.#insert(tx, bankId, name ?? null, overrides))) {
        throw new ConflictError('There is a bank with this id already.', 'BANK_EXISTS')
      }
      return this.#existing(tx, bankId)
    })
  }

  /**
   * Makes sure that the bank exists, inside a write that uses it, and takes its lock. Two first writes at once both
   * succeed. Throws ValidationError for an id that no bank can have.
   */
  async ensure(tx: Transaction, bankId: string): Promise<Bank> {
    parseInput(idInput, { bankId })
    await this.#insert(tx, bankId, null, {})
    await lockBankClock(tx, bankId)
    return this.#existing(tx, bankId)
  }

  /** Throws ValidationError or NotFoundError. */
  rename(input: { bankId: string; name?: string | null }): Promise<Bank> {
    const { bankId, name } = parseInput(namedInput, input)
    return this.#change(bankId, () => (name === undefined ? {} : { name }))
  }

  /** Creates the bank on first use. All problems of all keys are reported at once, and nothing is written then. */
  updateConfig(input: { bankId: string; config: ConfigPatch }): Promise<Bank> {
    this.#merged({}, input.config, ['config'])
    return this.#options.db.transaction(async (tx) => {
      const bank = await this.ensure(tx, input.bankId)
      const config = this.#merged(bank.config as ConfigPatch, input.config, ['config'])
      return this.#write(tx, bank.bankId, { config: config as Prisma.InputJsonValue })
    })
  }

  /** Drops every override. Throws NotFoundError. */
  resetConfig(input: { bankId: string }): Promise<Bank> {
    const { bankId } = parseInput(idInput, input)
    return this.#change(bankId, () => ({ config: {} }))
  }

  /** Ends its operations, then removes it with everything in it. Throws NotFoundError. */
  delete(input: { bankId: string }): Promise<void> {
    const { bankId } = parseInput(idInput, input)
    const { db, log, queue, now } = this.#options
    return db.transaction(async (tx) => {
      await lockBankClock(tx, bankId)
      await this.#existing(tx, bankId)
      const [clock] = await tx.query<{ seq: bigint }>(
        'SELECT seq FROM bank_clock WHERE bank_id = $1',
        [bankId],
      )
      await queue.cancelAll(tx, bankId)
      await deleteBankRow(tx, bankId)
      await trimBankLog(tx, bankId, Number(clock?.seq ?? 0))
      await log.append(
        tx,
        bankId,
        [{ type: BANK_CHANGED, payload: { change: 'DELETED', bankId } }],
        now(),
      )
    })
  }

  async #insert(
    tx: Transaction,
    bankId: string,
    name: string | null,
    config: object,
  ): Promise<boolean> {
    const at = this.#options.now()
    if (!(await insertBank(tx, { bankId, name, config, at }))) return false
    await ensureBankClock(tx, bankId)
    const payload = { change: 'CREATED', bankId, name, config }
    await this.#options.log.append(tx, bankId, [{ type: BANK_CHANGED, payload }], at)
    return true
  }

  #change(bankId: string, data: () => Prisma.BankUpdateInput): Promise<Bank> {
    return this.#options.db.transaction(async (tx) => {
      await lockBankClock(tx, bankId)
      await this.#existing(tx, bankId)
      return this.#write(tx, bankId, data())
    })
  }

  async #write(tx: Transaction, bankId: string, data: Prisma.BankUpdateInput): Promise<Bank> {
    const at = this.#options.now()
    const bank = await updateBankRow(tx, bankId, { ...data, updatedAt: at })
    const payload = { change: 'UPDATED', bankId, name: bank.name, config: bank.config }
    await this.#options.log.append(tx, bankId, [{ type: BANK_CHANGED, payload }], at)
    return bank
  }

  async #existing(tx: Transaction, bankId: string): Promise<Bank> {
    const bank = await findBank(tx, bankId)
    if (!bank) throw new NotFoundError('There is no such bank.')
    return bank
  }

  /** Stored overrides with a patch over them: null clears. Throws ValidationError with every issue. */
  #merged(stored: ConfigPatch, patch: ConfigPatch, at: readonly string[]): object {
    const { values, issues } = checkValues(patch, at)
    const merged = Object.fromEntries(
      Object.entries({ ...stored, ...values }).filter(([, value]) => value !== null),
    )
    const together = checkTogether(resolveConfig(this.#options.defaults, merged), at)
    const all = [
      ...issues,
      ...together.filter(
        ({ path }) => !issues.some((one) => one.path[at.length] === path[at.length]),
      ),
    ]
    if (all.length > 0) throw new ValidationError(all)
    return merged
  }
}
