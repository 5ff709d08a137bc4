import type DataLoader from 'dataloader'

export type Scope = 'READ' | 'WRITE' | 'ADMIN'

/** Who is asking: the key that came with the request, or everyone when the server has no keys. */
export interface Viewer {
  readonly name: string | null
  readonly scopes: readonly Scope[]
  /** null: all banks. */
  readonly bankIds: readonly string[] | null
}

/**
 * The services that resolvers call. Each feature adds its own in its x.schema.ts:
 * `declare module '../../graphql/context.ts' { interface Services { banks: BankService } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Services {}

export interface Context {
  readonly viewer: Viewer
  readonly requestId: string
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  readonly services: Services
  readonly loaders: Map<symbol, unknown>
}

/** A loader that lives as long as one request: all keys asked for together are one call of `batch`. */
export function defineLoader<Key, Value>(
  make: (context: Context) => DataLoader<Key, Value, unknown>,
): (context: Context) => DataLoader<Key, Value, unknown> {
  const id = Symbol('loader')
  return (context) => {
    const known = context.loaders.get(id)
    if (known) return known as DataLoader<Key, Value, unknown>
    const loader = make(context)
    context.loaders.set(id, loader)
    return loader
  }
}
