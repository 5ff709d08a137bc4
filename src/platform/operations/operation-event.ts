import type { NewEvent } from '../events/event.ts'
import type { OperationChangeKind, OperationRow } from './operation.ts'

export const OPERATION_CHANGED = 'OPERATION_CHANGED'

/** The event of one change, with all that a dashboard shows of the operation at that moment. */
export function operationEvent(operation: OperationRow, change: OperationChangeKind): NewEvent {
  return {
    type: OPERATION_CHANGED,
    operationId: operation.id,
    mentalModelId: operation.mentalModelId,
    stateKey: change === 'PROGRESS' ? `progress:${operation.id}` : null,
    payload: {
      change,
      operationId: operation.id,
      type: operation.type,
      status: operation.status,
      progress: operation.progress,
      detail: operation.detail,
      error: operation.error,
      attempt: operation.attempt,
      maxAttempts: operation.maxAttempts,
      nextAttemptAt: operation.nextAttemptAt?.toISOString() ?? null,
      parkedReason: operation.parkedReason,
      parentId: operation.parentId,
      documentId: operation.documentId,
      mentalModelId: operation.mentalModelId,
      usage: {
        inputTokens: Number(operation.inputTokens),
        outputTokens: Number(operation.outputTokens),
      },
      createdAt: operation.createdAt.toISOString(),
      startedAt: operation.startedAt?.toISOString() ?? null,
      completedAt: operation.completedAt?.toISOString() ?? null,
    },
  }
}
