import { ForbiddenError } from '../lib/errors.ts'
import type { Context, Scope, Viewer } from './context.ts'

/** ADMIN includes WRITE, WRITE includes READ. */
const INCLUDES: Readonly<Record<Scope, readonly Scope[]>> = {
  READ: ['READ', 'WRITE', 'ADMIN'],
  WRITE: ['WRITE', 'ADMIN'],
  ADMIN: ['ADMIN'],
}

export function maySee(viewer: Viewer, bankId: string): boolean {
  return mayUse(viewer, 'READ') && (viewer.bankIds === null || viewer.bankIds.includes(bankId))
}

export function mayUse(viewer: Viewer, scope: Scope): boolean {
  return INCLUDES[scope].some((granted) => viewer.scopes.includes(granted))
}

/** Throws ForbiddenError. Says nothing about whether the bank exists. */
export function authorize(context: Context, scope: Scope, bankId?: string): void {
  const { viewer } = context
  const bankAllowed =
    bankId === undefined || viewer.bankIds === null || viewer.bankIds.includes(bankId)
  if (!mayUse(viewer, scope) || !bankAllowed) {
    throw new ForbiddenError(`This key does not allow ${scope} here.`)
  }
}
