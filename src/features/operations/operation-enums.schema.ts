import { builder } from '../../graphql/builder.ts'

export const OperationTypeEnum = builder.enumType('OperationType', {
  description: 'Kinds of long work.',
  values: {
    BATCH_RETAIN: { description: 'A retain of several documents; its parts are RETAIN.' },
    RETAIN: { description: 'Takes in one document.' },
    CONSOLIDATION: { description: 'Turns facts into observations and refreshes what they touch.' },
    REFRESH_MENTAL_MODEL: { description: 'Writes a mental model.' },
    GRAPH_MAINTENANCE: { description: 'Keeps links and entities in order.' },
    IMPORT_DOCUMENTS: { description: 'Takes in an archive.' },
    EXPORT_DOCUMENTS: { description: 'Makes an archive.' },
    REEMBED: { description: 'Embeds everything anew.' },
    WEBHOOK_DELIVERY: { description: 'Delivers one event.' },
  } as const,
})
export const OperationStatusEnum = builder.enumType('OperationStatus', {
  description: 'States of an operation.',
  values: {
    PENDING: { description: 'Waits for a worker, or for its time.' },
    PROCESSING: { description: 'A worker has it.' },
    COMPLETED: { description: 'Done.' },
    FAILED: { description: 'Given up.' },
    CANCELLED: { description: 'Ended by a client.' },
  } as const,
})
export const ParkedReasonEnum = builder.enumType('ParkedReason', {
  description: 'Why a pending operation waits.',
  values: {
    MIN_REFRESH_INTERVAL: { description: 'The mental model was refreshed a moment ago.' },
    RATE_LIMITED: { description: 'The model provider asked for patience.' },
    RETRY_BACKOFF: { description: 'The last attempt failed.' },
  } as const,
})
export const OperationChangeKindEnum = builder.enumType('OperationChangeKind', {
  description: 'What happened to an operation.',
  values: {
    SNAPSHOT: { description: 'Nothing: its state when the stream was opened.' },
    CREATED: { description: 'It was asked for.' },
    STARTED: { description: 'A worker took it.' },
    PROGRESS: { description: 'It got further.' },
    PARKED: { description: 'It was put off.' },
    RETRYING: { description: 'It will be, or is to be, tried again.' },
    COMPLETED: { description: 'It is done.' },
    FAILED: { description: 'It was given up.' },
    CANCELLED: { description: 'A client ended it.' },
  } as const,
})
