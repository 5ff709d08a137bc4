/**
 * Where a stream stands. Two kinds that cannot be exchanged: a number in one bank's log, or a position in the stream
 * over all banks, which is ordered by transaction.
 */
export type StreamPosition =
  | { readonly kind: 'bank'; readonly bankId: string; readonly seq: number }
  | { readonly kind: 'all'; readonly xid: number; readonly id: number }

/** Not a cursor of this server, or one of another kind or bank. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursorError'
}

export function encodeCursor(position: StreamPosition): string {
  const parts =
    position.kind === 'bank'
      ? ['b', position.seq, position.bankId]
      : ['a', position.xid, position.id]
  return Buffer.from(parts.join(':')).toString('base64url')
}

/** Throws InvalidCursorError. */
export function decodeCursor(cursor: string): StreamPosition {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const bank = /^b:(\d{1,16}):([\s\S]+)$/.exec(text)
  const all = /^a:(\d{1,16}):(\d{1,16})$/.exec(text)
  const position: StreamPosition | null = bank
    ? { kind: 'bank', seq: Number(bank[1]), bankId: bank[2] ?? '' }
    : all
      ? { kind: 'all', xid: Number(all[1]), id: Number(all[2]) }
      : null
  if (!position || encodeCursor(position) !== cursor) {
    throw new InvalidCursorError('This is no cursor of an event stream.')
  }
  return position
}

/** The number to go on after. Throws InvalidCursorError for a cursor of another bank or of the stream over all banks. */
export function bankSeq(cursor: string, bankId: string): number {
  const position = decodeCursor(cursor)
  if (position.kind === 'all') {
    throw new InvalidCursorError(
      'This cursor is of the stream over all banks; a stream of one bank takes cursors of that bank.',
    )
  }
  if (position.bankId !== bankId) throw new InvalidCursorError('This cursor is of another bank.')
  return position.seq
}

/** The position to go on after. Throws InvalidCursorError for a bank's cursor. */
export function allPosition(cursor: string): { readonly xid: number; readonly id: number } {
  const position = decodeCursor(cursor)
  if (position.kind === 'bank') {
    throw new InvalidCursorError(
      'This cursor is of one bank; the stream over all banks takes cursors of its own.',
    )
  }
  return position
}
