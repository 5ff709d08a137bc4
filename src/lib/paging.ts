import { ValidationError, type ValidationIssue } from './errors.ts'

export const DEFAULT_PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100

/** Relay's four arguments, as a client sent them. */
export interface PageArguments {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
}

/** Values of the sort columns of one row. Dates travel as ISO text. */
export type PageKey = readonly (string | number)[]

export interface PageRequest {
  readonly limit: number
  readonly backward: boolean
  readonly after: PageKey | null
  readonly before: PageKey | null
}

export interface Edge<Node> {
  readonly cursor: string
  readonly node: Node
}

export interface Page<Node> {
  readonly edges: readonly Edge<Node>[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
  /** Counted only when asked for. */
  readonly totalCount: () => Promise<number | null>
}

/** Throws ValidationError for sizes outside 1..100, `first` with `last`, or a cursor of another list. `keyLength`: sort columns. */
export function pageRequest(args: PageArguments, keyLength: number): PageRequest {
  const issues: ValidationIssue[] = []
  for (const name of ['first', 'last'] as const) {
    const size = args[name]
    if (size != null && (size < 1 || size > MAX_PAGE_SIZE)) {
      issues.push({
        path: [name],
        message: `must be from 1 to ${MAX_PAGE_SIZE}`,
        code: 'OUT_OF_RANGE',
      })
    }
  }
  if (args.first != null && args.last != null) {
    issues.push({ path: ['last'], message: 'cannot be given together with first', code: 'INVALID' })
  }
  const keys = { after: null as PageKey | null, before: null as PageKey | null }
  for (const name of ['after', 'before'] as const) {
    const cursor = args[name]
    if (cursor == null) continue
    keys[name] = decodeKey(cursor, keyLength)
    if (!keys[name])
      issues.push({ path: [name], message: 'is no cursor of this list', code: 'INVALID' })
  }
  if (issues.length > 0) throw new ValidationError(issues)
  const backward = args.last != null || (args.first == null && args.before != null)
  return { limit: args.first ?? args.last ?? DEFAULT_PAGE_SIZE, backward, ...keys }
}

/** `rows`: up to limit + 1 of them, in the order they were read: for a backward page that is the reverse of the list's. */
export function pageOf<Row, Node>(
  rows: readonly Row[],
  request: PageRequest,
  keyOf: (row: Row) => PageKey,
  nodeOf: (row: Row) => Node,
  totalCount: () => Promise<number | null>,
): Page<Node> {
  const more = rows.length > request.limit
  const kept = rows.slice(0, request.limit)
  if (request.backward) kept.reverse()
  const edges = kept.map((row) => ({ cursor: encodeKey(keyOf(row)), node: nodeOf(row) }))
  return {
    edges,
    pageInfo: {
      hasNextPage: request.backward ? request.before !== null : more,
      hasPreviousPage: request.backward ? more : request.after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount,
  }
}

/** A page of a list that is already in memory and in order; the cursor is a position in it. */
export function pageOfArray<Node>(nodes: readonly Node[], args: PageArguments): Page<Node> {
  const request = pageRequest(args, 1)
  const indexed = nodes.map((node, index) => ({ node, index }))
  const from = request.after ? Number(request.after[0]) + 1 : 0
  const to = request.before ? Number(request.before[0]) : nodes.length
  const window = indexed.slice(from, to)
  if (request.backward) window.reverse()
  return pageOf(
    window.slice(0, request.limit + 1),
    request,
    ({ index }) => [index],
    ({ node }) => node,
    async () => nodes.length,
  )
}

export function encodeKey(key: PageKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

function decodeKey(cursor: string, length: number): PageKey | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const valid =
      Array.isArray(value) &&
      value.length === length &&
      value.every((part) => typeof part === 'string' || Number.isFinite(part))
    return valid && encodeKey(value) === cursor ? value : null
  } catch {
    return null
  }
}
