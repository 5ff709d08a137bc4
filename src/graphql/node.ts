import { brandWithType, type ObjectRef } from '@pothos/core'
import { ValidationError } from '../lib/errors.ts'
import { maySee } from './authorize.ts'
import { builder, type SchemaTypes } from './builder.ts'
import type { Context } from './context.ts'
import { globalId, parseGlobalId } from './global-id.ts'

const MAX_NODES = 100

type Load = (parts: readonly string[], context: Context) => Promise<unknown>
const loads = new Map<string, Load>()

/** Every object with a global id. */
export const NodeInterface = builder.interfaceRef<object>('Node').implement({
  description: 'An object with a global id.',
  fields: (t) => ({
    id: t.id({
      description: 'Globally unique, opaque.',
      resolve: () => {
        throw new Error('Each Node type resolves its own id.')
      },
    }),
  }),
})

/** Makes a type readable by `node`. The first part of each id is the bank, which the viewer must be allowed to see. */
export function registerNode<Shape extends object>(
  ref: ObjectRef<SchemaTypes, Shape>,
  load: (parts: readonly string[], context: Context) => Promise<Shape | null>,
): void {
  loads.set(ref.name, load)
}

export { globalId }

async function loadNode(id: string, context: Context): Promise<object | null> {
  const parsed = parseGlobalId(id)
  const load = parsed && loads.get(parsed.type)
  if (!parsed || !load) return null
  const [bankId] = parsed.parts
  if (bankId === undefined || !maySee(context.viewer, bankId)) return null
  const node = await load(parsed.parts, context)
  if (node === null || typeof node !== 'object') return null
  const branded = { ...node }
  brandWithType(branded, parsed.type as never)
  return branded
}

builder.queryFields((t) => ({
  node: t.field({
    type: NodeInterface,
    nullable: true,
    description: 'The object with this global id; null when there is none that the caller may see.',
    args: { id: t.arg.id({ required: true, description: 'A global id.' }) },
    resolve: (_root, { id }, context) => loadNode(String(id), context),
  }),
  nodes: t.field({
    type: t.listRef(NodeInterface, { nullable: true }),
    description:
      'The objects with these global ids, in order, null for each that there is not. At most 100.',
    args: { ids: t.arg.idList({ required: true, description: 'Global ids.' }) },
    resolve: (_root, { ids }, context) => {
      if (ids.length > MAX_NODES) {
        throw new ValidationError([
          { path: ['ids'], message: `at most ${MAX_NODES} ids`, code: 'OUT_OF_RANGE' },
        ])
      }
      return Promise.all(ids.map((id) => loadNode(String(id), context)))
    },
  }),
}))
