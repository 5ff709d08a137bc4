import type { OutputType } from '@pothos/core'
import type { Edge, Page } from '../lib/paging.ts'
import { builder, type SchemaTypes } from './builder.ts'

const PageInfo = builder.objectRef<Page<unknown>['pageInfo']>('PageInfo').implement({
  description: 'Where a page stands in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'More follows.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Something comes before.' }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'Cursor of the first edge.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Cursor of the last edge.',
    }),
  }),
})

/** Relay's four arguments; spread them into a field's `args`. */
export const pageArguments = builder.args((t) => ({
  first: t.int({ description: 'How many from the front: 20 unless given, 1 to 100.' }),
  after: t.string({ description: 'Only what follows this cursor.' }),
  last: t.int({ description: 'How many from the end, 1 to 100.' }),
  before: t.string({ description: 'Only what precedes this cursor.' }),
}))

/** The types `XConnection` and `XEdge` for lists of `node`. */
export function connectionOf<Node>(name: string, node: OutputType<SchemaTypes>) {
  const edge = builder.objectRef<Edge<Node>>(`${name}Edge`).implement({
    description: `One ${name} of a page, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'Goes on after, or before, this place.' }),
      node: t.field({
        type: node as never,
        description: 'The object.',
        resolve: ((e: Edge<Node>) => e.node) as never,
      }),
    }),
  })
  return builder.objectRef<Page<Node>>(`${name}Connection`).implement({
    description: `A page of a list of ${name}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The page.',
        resolve: (page) => [...page.edges],
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Where it stands.',
        resolve: (page) => page.pageInfo,
      }),
      totalCount: t.int({
        nullable: true,
        description: 'How many there are in all; null when that is not known.',
        resolve: (page) => page.totalCount(),
      }),
    }),
  })
}
