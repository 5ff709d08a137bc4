import { builder } from '../../graphql/builder.ts'

export const TagsMatchEnum = builder.enumType('TagsMatch', {
  description: 'How tags are compared. Tags narrow what is found; they are no security boundary.',
  values: {
    ANY: { description: 'At least one in common, or no tags at all.' },
    ALL: { description: 'All of them, or no tags at all.' },
    ANY_STRICT: { description: 'At least one in common.' },
    ALL_STRICT: { description: 'All of them.' },
    EXACT: { description: 'The same set.' },
  } as const,
})

const TagResolve = builder.enumType('TagResolve', {
  description: 'What a tag of a leaf stands for.',
  values: {
    EXACT: { description: 'Itself.' },
    FUZZY: { description: "The bank's tags of trigram similarity 0.45 or more to it." },
  } as const,
})

const TagLeafInput = builder.inputType('TagLeafInput', {
  description: 'One comparison.',
  fields: (t) => ({
    tags: t.stringList({ required: true, description: 'The tags.' }),
    match: t.field({
      type: TagsMatchEnum,
      defaultValue: 'ANY_STRICT',
      description: 'How they are compared.',
    }),
    resolve: t.field({
      type: TagResolve,
      defaultValue: 'EXACT',
      description: 'What each stands for.',
    }),
  }),
})

export interface TagGroupShape {
  leaf?: { tags: string[]; match?: string | null; resolve?: string | null } | null
  and?: TagGroupShape[] | null
  or?: TagGroupShape[] | null
  not?: TagGroupShape | null
}

export const TagGroupInput = builder.inputRef<TagGroupShape>('TagGroupInput')
TagGroupInput.implement({
  description: 'An expression over tags.',
  isOneOf: true,
  fields: (t) => ({
    leaf: t.field({ type: TagLeafInput, description: 'One comparison.' }),
    and: t.field({ type: [TagGroupInput], description: 'All of these.' }),
    or: t.field({ type: [TagGroupInput], description: 'At least one of these.' }),
    not: t.field({ type: TagGroupInput, description: 'Not this.' }),
  }),
})
