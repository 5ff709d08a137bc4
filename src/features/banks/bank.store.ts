import type { Bank, Prisma } from '../../generated/prisma/client.ts'
import { type Page, type PageArguments, pageOf, pageRequest } from '../../lib/paging.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { prismaPage, type SortColumn } from '../../platform/db/keyset.ts'

export type { Bank }

const ORDER: readonly SortColumn[] = [
  { name: 'createdAt', order: 'desc', type: 'date' },
  { name: 'bankId', order: 'desc', type: 'text' },
]

export function findBank(db: Queryable, bankId: string): Promise<Bank | null> {
  return db.prisma.bank.findUnique({ where: { bankId } })
}

/** False: it exists already, perhaps made by another transaction a moment ago. */
export async function insertBank(
  db: Queryable,
  bank: {
    readonly bankId: string
    readonly name: string | null
    readonly config: object
    readonly at: Date
  },
): Promise<boolean> {
  const inserted = await db.execute(
    `INSERT INTO bank (bank_id, name, config, created_at, updated_at) VALUES ($1, $2, $3::jsonb, $4::timestamptz, $4::timestamptz)
     ON CONFLICT DO NOTHING`,
    [bank.bankId, bank.name, JSON.stringify(bank.config), bank.at],
  )
  return inserted > 0
}

export function updateBankRow(
  db: Queryable,
  bankId: string,
  data: Prisma.BankUpdateInput,
): Promise<Bank> {
  return db.prisma.bank.update({ where: { bankId }, data })
}

export async function deleteBankRow(db: Queryable, bankId: string): Promise<void> {
  await db.prisma.bank.deleteMany({ where: { bankId } })
}

/** Removes the log of a deleted bank up to a number; cursors below it read as expired. */
export async function trimBankLog(db: Queryable, bankId: string, upToSeq: number): Promise<void> {
  await db.execute('DELETE FROM bank_event WHERE bank_id = $1 AND seq <= $2', [bankId, upToSeq])
  await db.execute(
    'UPDATE bank_clock SET trimmed_seq = $2, last_memory_write_at = NULL WHERE bank_id = $1',
    [bankId, upToSeq],
  )
}

export async function listBanks(
  db: Queryable,
  args: PageArguments,
  filter: { readonly search: string | null; readonly bankIds: readonly string[] | null },
): Promise<Page<Bank>> {
  const request = pageRequest(args, ORDER.length)
  const page = prismaPage(ORDER, request)
  const where: Prisma.BankWhereInput = {
    AND: [
      ...(filter.bankIds ? [{ bankId: { in: [...filter.bankIds] } }] : []),
      ...(filter.search
        ? [
            {
              OR: [
                { bankId: { contains: filter.search, mode: 'insensitive' as const } },
                { name: { contains: filter.search, mode: 'insensitive' as const } },
              ],
            },
          ]
        : []),
    ],
  }
  const rows = await db.prisma.bank.findMany({
    where: { AND: [where, page.where] },
    orderBy: page.orderBy,
    take: page.take,
  })
  return pageOf(
    rows,
    request,
    (row) => [row.createdAt.toISOString(), row.bankId],
    (row) => row,
    () => db.prisma.bank.count({ where }),
  )
}
