import {
  isEmptyLeaf,
  isFlatActive,
  type TagFilter,
  type TagGroup,
  type TagsMatch,
} from './types.ts'

export interface SqlPredicate {
  readonly sql: string
  /** For the placeholders from `firstParam` on, in order; each is a list of distinct tags. */
  readonly params: string[][]
}

/** A column, with or without its table, each quoted or not. */
const COLUMN = /^(?:"[^"]+"|[a-z_]\w*)(?:\.(?:"[^"]+"|[a-z_]\w*)){0,2}$/i

/**
 * What matchesTags says, as a PostgreSQL predicate over the text[] column `column` (not null), with placeholders from
 * `$firstParam` on. The operators are those a GIN index on the column serves. 'TRUE' when nothing filters.
 * @throws RangeError for a column that is no plain name, since it goes into the statement as it is.
 */
export function tagFilterSql(filter: TagFilter, column: string, firstParam: number): SqlPredicate {
  if (!COLUMN.test(column)) throw new RangeError(`no column name: ${column}`)
  const params: string[][] = []
  const bind = (tags: readonly string[]): string => {
    params.push([...new Set(tags)])
    return `$${firstParam + params.length - 1}::text[]`
  }
  const parts: string[] = []
  if (isFlatActive(filter)) parts.push(setSql(column, filter.tags ?? [], filter.tagsMatch, bind))
  for (const group of filter.tagGroups ?? []) parts.push(groupSql(column, group, bind))
  return { sql: join(parts, 'AND', 'TRUE'), params }
}

type Bind = (tags: readonly string[]) => string

function groupSql(column: string, group: TagGroup, bind: Bind): string {
  if ('leaf' in group) {
    return isEmptyLeaf(group.leaf)
      ? 'FALSE'
      : setSql(column, group.leaf.tags, group.leaf.match, bind)
  }
  if ('and' in group)
    return join(
      group.and.map((part) => groupSql(column, part, bind)),
      'AND',
      'TRUE',
    )
  if ('or' in group)
    return join(
      group.or.map((part) => groupSql(column, part, bind)),
      'OR',
      'FALSE',
    )
  return `(NOT ${groupSql(column, group.not, bind)})`
}

function setSql(column: string, tags: readonly string[], match: TagsMatch, bind: Bind): string {
  const untagged = `${column} = '{}'::text[]`
  switch (match) {
    case 'ANY':
      return `(${untagged} OR ${column} && ${bind(tags)})`
    case 'ALL':
      return `(${untagged} OR ${column} @> ${bind(tags)})`
    case 'ANY_STRICT':
      return `(${column} && ${bind(tags)})`
    case 'ALL_STRICT':
      return `(${column} @> ${bind(tags)})`
    case 'EXACT': {
      if (tags.length === 0) return `(${untagged})`
      const set = bind(tags)
      return `(${column} @> ${set} AND ${column} <@ ${set})`
    }
  }
}

function join(parts: readonly string[], operator: string, none: string): string {
  if (parts.length <= 1) return parts[0] ?? none
  return `(${parts.join(` ${operator} `)})`
}
