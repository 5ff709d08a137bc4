import type { Prisma } from '../../generated/prisma/client.ts'
import { ConflictError, NotFoundError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { type Page, type PageArguments, pageOf, pageRequest } from '../../lib/paging.ts'
import type { Database } from '../../platform/db/database.ts'
import { prismaPage, type SortColumn } from '../../platform/db/keyset.ts'
import { isTerminal, type OperationRow } from '../../platform/operations/operation.ts'
import {
  type OperationQueue,
  OperationStateError,
} from '../../platform/operations/operation-queue.ts'

export interface OperationFilter {
  readonly types?: readonly string[] | null
  readonly statuses?: readonly string[] | null
  readonly mentalModelId?: string | null
  readonly documentId?: string | null
  readonly parentId?: string | null
  readonly topLevelOnly?: boolean | null
}

export interface OperationRefInput {
  readonly bankId: string
  readonly operationId: string
}

const ORDER: readonly SortColumn[] = [
  { name: 'createdAt', order: 'desc', type: 'date' },
  { name: 'bankId', order: 'desc', type: 'text' },
  { name: 'id', order: 'desc', type: 'text' },
]

export class OperationService {
  readonly #db: Database
  readonly #queue: OperationQueue

  constructor(db: Database, queue: OperationQueue) {
    this.#db = db
    this.#queue = queue
  }

  find(bankId: string, id: string): Promise<OperationRow | null> {
    if (!isUuid(id)) return Promise.resolve(null)
    return this.#db.prisma.operation.findUnique({ where: { bankId_id: { bankId, id } } })
  }

  /** `bankIds` null: those of all banks. Newest first. */
  async list(
    bankIds: readonly string[] | null,
    args: PageArguments,
    filter: OperationFilter,
  ): Promise<Page<OperationRow>> {
    const where: Prisma.OperationWhereInput = {
      ...(bankIds ? { bankId: { in: [...bankIds] } } : {}),
      ...whereOf(filter),
    }
    const request = pageRequest(args, ORDER.length)
    const page = prismaPage(ORDER, request)
    const { operation } = this.#db.prisma
    const rows = await operation.findMany({
      where: { AND: [where, page.where] },
      orderBy: page.orderBy,
      take: page.take,
    })
    return pageOf(
      rows,
      request,
      (row) => [row.createdAt.toISOString(), row.bankId, row.id],
      (row) => row,
      () => operation.count({ where }),
    )
  }

  /** Throws NotFoundError, or ConflictError when it has ended. */
  cancel(input: OperationRefInput): Promise<OperationRow> {
    return this.#found(input, () => this.#queue.cancel(input.bankId, input.operationId))
  }

  /** Throws NotFoundError, or ConflictError unless it failed or was cancelled. */
  retry(input: OperationRefInput): Promise<OperationRow> {
    return this.#found(input, () => this.#queue.retry(input.bankId, input.operationId))
  }

  /** Throws NotFoundError, or ConflictError unless it has ended. */
  async delete(input: OperationRefInput): Promise<void> {
    await this.#found(
      input,
      async () => (await this.#queue.delete(input.bankId, input.operationId)) || null,
    )
  }

  /** Whether a stream of this operation has nothing more to say. */
  async hasEnded(bankId: string, id: string): Promise<boolean> {
    const operation = await this.find(bankId, id)
    return operation === null || isTerminal(operation.status)
  }

  async #found<T>({ operationId }: OperationRefInput, act: () => Promise<T | null>): Promise<T> {
    try {
      const result = isUuid(operationId) ? await act() : null
      if (result === null) throw new NotFoundError('There is no such operation.')
      return result
    } catch (error) {
      if (error instanceof OperationStateError) throw new ConflictError(error.message, error.reason)
      throw error
    }
  }
}

function whereOf(filter: OperationFilter): Prisma.OperationWhereInput {
  const parentId =
    filter.parentId == null ? null : isUuid(filter.parentId) ? filter.parentId : NOTHING
  return {
    ...(filter.types ? { type: { in: [...filter.types] } } : {}),
    ...(filter.statuses ? { status: { in: [...filter.statuses] } } : {}),
    ...(filter.mentalModelId ? { mentalModelId: filter.mentalModelId } : {}),
    ...(filter.documentId ? { documentId: filter.documentId } : {}),
    ...(parentId ? { parentId } : {}),
    ...(filter.topLevelOnly ? { AND: [{ parentId: null }] } : {}),
  }
}

/** A parent that no operation has. */
const NOTHING = '00000000-0000-0000-0000-000000000000'

/** The same filter over an event of the log. */
export function eventMatches(
  payload: Readonly<Record<string, unknown>>,
  filter: OperationFilter | null | undefined,
): boolean {
  if (!filter) return true
  const allows = (allowed: readonly string[] | null | undefined, value: unknown) =>
    !allowed || allowed.some((one) => one === value)
  return (
    allows(filter.types, payload.type) &&
    allows(filter.statuses, payload.status) &&
    (!filter.mentalModelId || payload.mentalModelId === filter.mentalModelId) &&
    (!filter.documentId || payload.documentId === filter.documentId) &&
    (!filter.parentId || payload.parentId === filter.parentId) &&
    (!filter.topLevelOnly || payload.parentId === null)
  )
}
