import { builder } from '../../graphql/builder.ts'
import {
  openStream,
  StreamEventInterface,
  StreamOpened,
  StreamReset,
} from '../../graphql/stream.ts'
import { NotFoundError } from '../../lib/errors.ts'
import type { StreamItem } from '../../platform/events/event-stream.ts'
import { mapStream } from '../../platform/events/map-stream.ts'
import { isTerminal, type OperationRow } from '../../platform/operations/operation.ts'
import { OPERATION_CHANGED } from '../../platform/operations/operation-event.ts'
import {
  OperationFilterInput,
  OperationProgressRef,
  OperationRef,
  type ProgressData,
} from './operation.schema.ts'
import { eventMatches } from './operation.service.ts'
import {
  OperationChangeKindEnum,
  OperationStatusEnum,
  OperationTypeEnum,
} from './operation-enums.schema.ts'

interface Change {
  readonly kind: 'change'
  readonly cursor: string
  readonly at: Date
  readonly bankId: string
  readonly operationId: string
  readonly payload: Readonly<Record<string, unknown>>
}

const OperationChange = builder.objectRef<Change>('OperationChange').implement({
  description: 'One change of an operation.',
  interfaces: [StreamEventInterface],
  fields: (t) => ({
    bankId: t.exposeString('bankId', { description: 'Its bank.' }),
    operationId: t.id({ description: 'Its id.', resolve: ({ operationId }) => operationId }),
    type: t.field({
      type: OperationTypeEnum,
      description: 'What it does.',
      resolve: ({ payload }) => payload.type as never,
    }),
    status: t.field({
      type: OperationStatusEnum,
      description: 'Its state after the change.',
      resolve: ({ payload }) => payload.status as never,
    }),
    progress: t.field({
      type: OperationProgressRef,
      nullable: true,
      description: 'How far it was.',
      resolve: ({ payload }) => payload.progress as ProgressData | null,
    }),
    change: t.field({
      type: OperationChangeKindEnum,
      description: 'What happened.',
      resolve: ({ payload }) => payload.change as never,
    }),
    operation: t.field({
      type: OperationRef,
      nullable: true,
      description: 'The operation as it is when this is sent; null when it was deleted since.',
      resolve: ({ bankId, operationId }, _args, { services }) =>
        services.operations.find(bankId, operationId),
    }),
  }),
})

type Message = Change | Exclude<StreamItem, { kind: 'event' }>

const OperationStream = builder.unionType('OperationStream', {
  description: 'Messages of a stream of operations.',
  types: [StreamOpened, StreamReset, OperationChange],
  resolveType: (message) => {
    const { kind } = message as unknown as Message
    if (kind === 'opened') return StreamOpened
    return kind === 'reset' ? StreamReset : OperationChange
  },
})

function toMessage(item: StreamItem): Message {
  if (item.kind !== 'event') return item
  const { bankId, at, payload, operationId } = item.event
  return {
    kind: 'change',
    cursor: item.cursor,
    at,
    bankId,
    operationId: operationId ?? '',
    payload,
  }
}

function snapshot(operation: OperationRow, opened: { cursor: string; at: Date }): Change {
  const { bankId, id: operationId, type, status, progress } = operation
  return {
    kind: 'change',
    ...opened,
    bankId,
    operationId,
    payload: { type, status, progress, change: 'SNAPSHOT' },
  }
}

builder.subscriptionFields((t) => ({
  operationEvents: t.field({
    type: OperationStream,
    description: 'Changes of operations: of one bank, or of every bank that the caller may see.',
    args: {
      bankId: t.arg.string({ description: 'The bank; null: all.' }),
      after: t.arg.string({ description: 'Replay what came after this cursor first.' }),
      filter: t.arg({ type: OperationFilterInput, description: 'Which operations.' }),
    },
    subscribe: async (_root, { bankId, after, filter }, context) => {
      const stream = await openStream(context, bankId, {
        after: after ?? null,
        filter: (event) => event.type === OPERATION_CHANGED && eventMatches(event.payload, filter),
        isLast: (event) => event.payload.change === 'DELETED' && bankId != null,
      })
      return mapStream(stream, (item) => [toMessage(item)])
    },
    resolve: (message) => message as never,
  }),
  operation: t.field({
    type: OperationStream,
    description: 'One operation: its state first, then its changes; completes when it has ended.',
    args: {
      bankId: t.arg.string({ required: true, description: 'Its bank.' }),
      operationId: t.arg.id({ required: true, description: 'Its id.' }),
      after: t.arg.string({
        description: 'Replay what came after this cursor in place of the state.',
      }),
    },
    subscribe: async (_root, { bankId, operationId, after }, context) => {
      const { operations } = context.services
      const stream = await openStream(context, bankId, {
        after: after ?? null,
        filter: (event) => event.type === OPERATION_CHANGED && event.operationId === operationId,
        isLast: (event) =>
          event.operationId === operationId && isTerminal(String(event.payload.status)),
        onCaughtUp: () => operations.hasEnded(bankId, operationId),
      })
      const operation = await operations.find(bankId, operationId)
      if (!operation) {
        await stream.return?.()
        throw new NotFoundError('There is no such operation.')
      }
      return mapStream(stream, (item) =>
        item.kind === 'opened' && after == null
          ? [item, snapshot(operation, item)]
          : [toMessage(item)],
      )
    },
    resolve: (message) => message as never,
  }),
}))
