import { NotFoundError, ValidationError } from '../lib/errors.ts'
import { InvalidCursorError } from '../platform/events/cursor.ts'
import type { EventHub, StreamRequest } from '../platform/events/event-hub.ts'
import { UnknownStreamError } from '../platform/events/event-hub.ts'
import type { StreamItem } from '../platform/events/event-stream.ts'
import { maySee } from './authorize.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'

declare module './context.ts' {
  interface Services {
    hub: EventHub
    /** Whether there is such a bank now. */
    bankExists(bankId: string): Promise<boolean>
  }
}

interface StreamMoment {
  readonly cursor: string
  readonly at: Date | string
}

export const StreamEventInterface = builder.interfaceRef<StreamMoment>('StreamEvent').implement({
  description: 'What every message of a stream carries.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Subscribe after it to go on here.' }),
    at: t.field({ type: 'DateTime', description: 'When it happened.', resolve: ({ at }) => at }),
  }),
})

type Opened = Extract<StreamItem, { kind: 'opened' }>
type Reset = Extract<StreamItem, { kind: 'reset' }>

export const StreamOpened = builder.objectRef<Opened>('StreamOpened').implement({
  description: 'The first message of every stream.',
  interfaces: [StreamEventInterface],
})
export const StreamReset = builder.objectRef<Reset>('StreamReset').implement({
  description:
    'The cursor is older than the log: read anew what you show; the stream goes on live.',
  interfaces: [StreamEventInterface],
  fields: (t) => ({ reason: t.exposeString('reason', { description: 'EXPIRED.' }) }),
})

/** A stream of one bank, or with null of every bank that the viewer may see. Throws NotFoundError or ValidationError. */
export async function openStream(
  context: Context,
  bankId: string | null | undefined,
  request: StreamRequest,
): Promise<AsyncIterableIterator<StreamItem>> {
  const { hub, bankExists } = context.services
  try {
    if (bankId == null) {
      const filter: StreamRequest['filter'] = (event) =>
        maySee(context.viewer, event.bankId) && request.filter(event)
      return await hub.allStream({ ...request, filter })
    }
    if (!maySee(context.viewer, bankId) || !(await bankExists(bankId)))
      throw new UnknownStreamError()
    return await hub.bankStream(bankId, request)
  } catch (error) {
    if (error instanceof UnknownStreamError) throw new NotFoundError('There is no such bank.')
    if (error instanceof InvalidCursorError) {
      throw new ValidationError([{ path: ['after'], message: error.message, code: 'INVALID' }])
    }
    throw error
  }
}
