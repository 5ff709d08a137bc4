import { createHash, timingSafeEqual } from 'node:crypto'
import type { Scope, Viewer } from '../graphql/context.ts'

export interface ApiKey {
  readonly name: string
  readonly secret: string
  readonly scopes: readonly Scope[]
  readonly bankIds: readonly string[] | null
}

/** Without keys everyone who can reach the server may do everything; it then listens on loopback only. */
const EVERYONE: Viewer = { name: null, scopes: ['ADMIN'], bankIds: null }

/**
 * The viewer behind an `Authorization` value, with or without `Bearer`; null when it is no valid key. HTTP headers and
 * WebSocket connection parameters both come through here.
 */
export function authenticate(keys: readonly ApiKey[], authorization: unknown): Viewer | null {
  if (keys.length === 0) return EVERYONE
  if (typeof authorization !== 'string') return null
  const given = digest(authorization.replace(/^Bearer\s+/i, ''))
  const key = keys.find(({ secret }) => timingSafeEqual(digest(secret), given))
  return key ? { name: key.name, scopes: key.scopes, bankIds: key.bankIds } : null
}

/** Equal lengths, so that comparing takes the same time whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
