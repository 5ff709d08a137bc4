/** ANY and ALL let untagged items through, the strict ones do not. EXACT compares the sets. */
export type TagsMatch = 'ANY' | 'ALL' | 'ANY_STRICT' | 'ALL_STRICT' | 'EXACT'

export interface TagLeaf {
  readonly tags: readonly string[]
  readonly match: TagsMatch
  /** FUZZY: the caller replaces the tags by similar ones of the bank before it filters, and leaves FUZZY standing. */
  readonly resolve: 'EXACT' | 'FUZZY'
}

export type TagGroup =
  | { readonly leaf: TagLeaf }
  | { readonly and: readonly TagGroup[] }
  | { readonly or: readonly TagGroup[] }
  | { readonly not: TagGroup }

export interface TagFilter {
  /** Null or empty filters nothing, except under EXACT: then only untagged items pass. */
  readonly tags: readonly string[] | null
  readonly tagsMatch: TagsMatch
  /** All of them must match. Null or empty filters nothing. */
  readonly tagGroups: readonly TagGroup[] | null
}

/** Whether tags and tagsMatch filter anything. Under EXACT they do without tags too, also beside tagGroups. */
export function isFlatActive(filter: TagFilter): boolean {
  return (filter.tags ?? []).length > 0 || filter.tagsMatch === 'EXACT'
}

/**
 * Whether nothing can match a leaf. One without tags, which is what a fuzzy leaf without similar tags resolves to, must
 * never turn into "no filter"; only an EXACT leaf that was written without tags means the untagged items.
 */
export function isEmptyLeaf({ tags, match, resolve }: TagLeaf): boolean {
  return tags.length === 0 && !(match === 'EXACT' && resolve === 'EXACT')
}
