/**
 * Global ids in a readable form, `<Type>_<bank>_<key>`: parts percent-encoded, and `_` as %5F, so that no two things
 * share one id whatever their keys look like. Clients treat them as opaque.
 */
export function globalId(type: string, ...parts: readonly string[]): string {
  return [type, ...parts.map(encodePart)].join('_')
}

export interface GlobalId {
  readonly type: string
  readonly parts: readonly string[]
}

/** Null for a text that `globalId` cannot have made. */
export function parseGlobalId(id: string): GlobalId | null {
  const [type, ...encoded] = id.split('_')
  if (!type || encoded.length === 0 || !/^[A-Za-z]+$/.test(type)) return null
  try {
    const parts = encoded.map(decodeURIComponent)
    return globalId(type, ...parts) === id ? { type, parts } : null
  } catch {
    return null
  }
}

function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll('_', '%5F')
}
