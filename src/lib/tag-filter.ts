/** Which items a tag scope lets through: the same algebra in memory and in SQL. */
export { cleanTagFilter } from './tag-filter/clean.ts'
export { matchesTags } from './tag-filter/match.ts'
export { tagFilterSql } from './tag-filter/sql.ts'
export type { TagFilter, TagGroup, TagLeaf, TagsMatch } from './tag-filter/types.ts'
export { type TagFilterIssue, validateTagFilter } from './tag-filter/validate.ts'
