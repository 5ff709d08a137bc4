import { codePointLength } from '../text.ts'
import { isEmptyLeaf, type TagFilter, type TagGroup } from './types.ts'

/** A leaf at top level has depth 1. */
const MAX_DEPTH = 8
const MAX_LEAVES = 64
/** In the whole filter. */
const MAX_TAGS = 100
const MAX_TAG_CHARS = 256

type Path = readonly string[]

/** One problem; `path` leads to it from the filter. Fits lib's ValidationIssue. */
export interface TagFilterIssue {
  path: string[]
  message: string
  code: string
}

interface Walk {
  readonly issues: TagFilterIssue[]
  readonly leaves: { readonly path: Path; readonly tags: readonly string[] }[]
}

/**
 * Everything wrong with a filter as a caller wrote it (before fuzzy leaves are resolved); [] when nothing is.
 * Codes: EXCLUSIVE (tags beside tagGroups), EMPTY, OUT_OF_RANGE (too many, too long, too deep).
 */
export function validateTagFilter(filter: TagFilter): TagFilterIssue[] {
  const tags = filter.tags ?? []
  const groups = filter.tagGroups ?? []
  const walk: Walk = { issues: [], leaves: [] }
  if (groups.length > 0 && tags.length > 0) {
    walk.issues.push(issue(['tagGroups'], 'EXCLUSIVE', 'cannot stand beside tags'))
  }
  groups.forEach((group, at) => {
    visit(walk, group, ['tagGroups', String(at)], 1)
  })
  if (walk.leaves.length > MAX_LEAVES) {
    const message = `must not have more than ${MAX_LEAVES} leaves`
    walk.issues.push(issue(['tagGroups'], 'OUT_OF_RANGE', message))
  }
  return [...walk.issues, ...tagIssues([{ path: ['tags'], tags }, ...walk.leaves])]
}

function visit(walk: Walk, group: TagGroup, path: Path, depth: number): void {
  if (depth > MAX_DEPTH) {
    walk.issues.push(issue(path, 'OUT_OF_RANGE', `must not be nested deeper than ${MAX_DEPTH}`))
  } else if ('leaf' in group) {
    const at = [...path, 'leaf', 'tags']
    walk.leaves.push({ path: at, tags: group.leaf.tags })
    if (isEmptyLeaf(group.leaf)) {
      walk.issues.push(issue(at, 'EMPTY', 'must not be empty unless the match is EXACT'))
    }
  } else if ('not' in group) {
    visit(walk, group.not, [...path, 'not'], depth + 1)
  } else if ('and' in group) {
    visitAll(walk, group.and, [...path, 'and'], depth)
  } else {
    visitAll(walk, group.or, [...path, 'or'], depth)
  }
}

function visitAll(walk: Walk, groups: readonly TagGroup[], path: Path, depth: number): void {
  if (groups.length === 0) walk.issues.push(issue(path, 'EMPTY', 'must not be empty'))
  groups.forEach((group, at) => {
    visit(walk, group, [...path, String(at)], depth + 1)
  })
}

function tagIssues(lists: Walk['leaves']): TagFilterIssue[] {
  const all = lists.flatMap(({ path, tags }) =>
    tags.map((tag, at) => ({ tag, path: [...path, String(at)], list: path })),
  )
  const beyond = all[MAX_TAGS]
  if (beyond) {
    return [issue(beyond.list, 'OUT_OF_RANGE', `must not have more than ${MAX_TAGS} tags in all`)]
  }
  return all
    .filter(({ tag }) => tag === '' || codePointLength(tag) > MAX_TAG_CHARS)
    .map(({ path }) => issue(path, 'OUT_OF_RANGE', `must have 1 to ${MAX_TAG_CHARS} characters`))
}

function issue(path: Path, code: string, message: string): TagFilterIssue {
  return { path: [...path], message, code }
}
