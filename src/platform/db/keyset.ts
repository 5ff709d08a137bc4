import { ValidationError } from '../../lib/errors.ts'
import type { PageKey, PageRequest } from '../../lib/paging.ts'

export interface SortColumn {
  /** Prisma's field name, or the column's in raw SQL. */
  readonly name: string
  readonly order: 'asc' | 'desc'
  readonly type: 'date' | 'text' | 'number'
}

/** What a page asks of Prisma: add `where` to the filter by AND. One row more than the limit tells whether there is a next page. */
export interface PrismaPage {
  readonly where: Record<string, unknown>
  readonly orderBy: Record<string, 'asc' | 'desc'>[]
  readonly take: number
}

/** Keyset paging: cost does not grow with the page, and rows added or removed elsewhere move nothing. Columns together must be unique. */
export function prismaPage(columns: readonly SortColumn[], request: PageRequest): PrismaPage {
  const bounds = [
    ...(request.after ? [beyond(columns, request.after, false)] : []),
    ...(request.before ? [beyond(columns, request.before, true)] : []),
  ]
  return {
    where: { AND: bounds },
    orderBy: columns.map(({ name, order }) => ({
      [name]: request.backward ? reverse(order) : order,
    })),
    take: request.limit + 1,
  }
}

/** Rows after a key in the list's order, or before it: (a > x) or (a = x and b > y) … */
function beyond(
  columns: readonly SortColumn[],
  key: PageKey,
  before: boolean,
): Record<string, unknown> {
  const values = columns.map((column, index) => columnValue(column, key[index]))
  return {
    OR: columns.map((column, index) => ({
      ...Object.fromEntries(columns.slice(0, index).map(({ name }, i) => [name, values[i]])),
      [column.name]: { [(column.order === 'asc') !== before ? 'gt' : 'lt']: values[index] },
    })),
  }
}

/** The same as SQL over literal column names, e.g. `(created_at, id) < ($3, $4)`; all columns must sort the same way. */
export function sqlPage(
  columns: readonly SortColumn[],
  request: PageRequest,
  firstParam: number,
): { readonly where: string; readonly orderBy: string; readonly params: unknown[] } {
  const params: unknown[] = []
  const order = columns[0]?.order ?? 'asc'
  const names = columns.map(({ name }) => name).join(', ')
  const bound = (key: PageKey, before: boolean) => {
    const places = columns.map((column, index) => {
      params.push(columnValue(column, key[index]))
      return `$${firstParam + params.length - 1}::${SQL_TYPES[column.type]}`
    })
    return `(${names}) ${(order === 'asc') !== before ? '>' : '<'} (${places.join(', ')})`
  }
  const bounds = [
    ...(request.after ? [bound(request.after, false)] : []),
    ...(request.before ? [bound(request.before, true)] : []),
  ]
  const direction = request.backward ? reverse(order) : order
  return {
    where: bounds.length > 0 ? bounds.join(' AND ') : 'TRUE',
    orderBy: columns.map(({ name }) => `${name} ${direction}`).join(', '),
    params,
  }
}

const SQL_TYPES = { date: 'timestamptz', text: 'text', number: 'numeric' } as const

function columnValue(
  column: SortColumn,
  value: string | number | undefined,
): Date | string | number {
  const fits = column.type === 'number' ? typeof value === 'number' : typeof value === 'string'
  const date = column.type === 'date' ? new Date(String(value)) : null
  if (!fits || value === undefined || (date && Number.isNaN(date.getTime()))) {
    throw new ValidationError([
      { path: ['after'], message: 'is no cursor of this list', code: 'INVALID' },
    ])
  }
  return date ?? value
}

function reverse(order: 'asc' | 'desc'): 'asc' | 'desc' {
  return order === 'asc' ? 'desc' : 'asc'
}
