import { z } from 'zod'

/** Deeper than lib/tag-filter.ts allows: there it is refused with a message, here only the recursion is bounded. */
const MAX_PARSED_DEPTH = 12

const leafSchema = z.strictObject({
  tags: z.array(z.string()),
  match: z.enum(['ANY', 'ALL', 'ANY_STRICT', 'ALL_STRICT', 'EXACT']).default('ANY_STRICT'),
  resolve: z.enum(['EXACT', 'FUZZY']).default('EXACT'),
})

function groupSchema(depth: number): z.ZodType {
  const inner =
    depth >= MAX_PARSED_DEPTH
      ? z.never('is nested too deeply')
      : z.lazy(() => groupSchema(depth + 1))
  return z.union([
    z.strictObject({ leaf: leafSchema }),
    z.strictObject({ and: z.array(inner) }),
    z.strictObject({ or: z.array(inner) }),
    z.strictObject({ not: inner }),
  ])
}

/** The shape of tagGroups in stored JSON; what is allowed inside is judged by validateTagFilter. */
export const tagGroupsSchema = z.array(groupSchema(1)).max(64)
