import { cleanText } from '../text.ts'
import type { TagFilter, TagGroup } from './types.ts'

/** The filter with its tags in the form in which tags are stored: see cleanText. */
export function cleanTagFilter(filter: TagFilter): TagFilter {
  return {
    tags: filter.tags?.map(cleanText) ?? null,
    tagsMatch: filter.tagsMatch,
    tagGroups: filter.tagGroups?.map(cleanGroup) ?? null,
  }
}

function cleanGroup(group: TagGroup): TagGroup {
  if ('leaf' in group) return { leaf: { ...group.leaf, tags: group.leaf.tags.map(cleanText) } }
  if ('and' in group) return { and: group.and.map(cleanGroup) }
  if ('or' in group) return { or: group.or.map(cleanGroup) }
  return { not: cleanGroup(group.not) }
}
