import {
  isEmptyLeaf,
  isFlatActive,
  type TagFilter,
  type TagGroup,
  type TagsMatch,
} from './types.ts'

/**
 * Whether an item with these tags passes. Tags are compared as whole strings, letter case included; order and
 * repetition do not matter.
 */
export function matchesTags(itemTags: readonly string[], filter: TagFilter): boolean {
  const item = new Set(itemTags)
  const { tags, tagsMatch, tagGroups } = filter
  if (isFlatActive(filter) && !matchesSet(item, tags ?? [], tagsMatch)) return false
  return (tagGroups ?? []).every((group) => matchesGroup(item, group))
}

function matchesGroup(item: ReadonlySet<string>, group: TagGroup): boolean {
  if ('leaf' in group) {
    return !isEmptyLeaf(group.leaf) && matchesSet(item, group.leaf.tags, group.leaf.match)
  }
  if ('and' in group) return group.and.every((part) => matchesGroup(item, part))
  if ('or' in group) return group.or.some((part) => matchesGroup(item, part))
  return !matchesGroup(item, group.not)
}

function matchesSet(item: ReadonlySet<string>, tags: readonly string[], match: TagsMatch): boolean {
  const hasAny = () => tags.some((tag) => item.has(tag))
  const hasAll = () => tags.every((tag) => item.has(tag))
  switch (match) {
    case 'ANY':
      return item.size === 0 || hasAny()
    case 'ALL':
      return item.size === 0 || hasAll()
    case 'ANY_STRICT':
      return hasAny()
    case 'ALL_STRICT':
      return hasAll()
    case 'EXACT':
      return hasAll() && item.size === new Set(tags).size
  }
}
