import { GraphQLError } from 'graphql'
import { EngramError, ValidationError } from '../lib/errors.ts'
import { SlowConsumerError } from '../platform/events/event-stream.ts'

/**
 * What clients see of a top-level error. Errors of the domain carry code, reason and issues; GraphQL's own are the
 * client's mistakes; anything else is a fault, logged whole and shown as nothing but its request id.
 */
export function maskError(
  error: unknown,
  requestId: string,
  onFault: (error: unknown) => void,
): GraphQLError {
  const original = error instanceof GraphQLError ? (error.originalError ?? null) : error
  const place = error instanceof GraphQLError ? { nodes: error.nodes, path: error.path } : {}
  if (original instanceof EngramError) {
    const { code, reason, message } = original
    const issues = original instanceof ValidationError ? { issues: original.issues } : {}
    return new GraphQLError(message, {
      ...place,
      extensions: { code, reason, ...issues, requestId },
    })
  }
  if (original instanceof SlowConsumerError) {
    return new GraphQLError(original.message, {
      ...place,
      extensions: { code: 'SLOW_CONSUMER', requestId },
    })
  }
  if (error instanceof GraphQLError && (original === null || original instanceof GraphQLError)) {
    const { http: _http, ...extensions } = error.extensions
    return new GraphQLError(error.message, {
      ...place,
      source: error.source,
      positions: error.positions,
      extensions: {
        code: 'BAD_USER_INPUT',
        ...extensions,
        requestId,
        ...(error.extensions.http ? { http: error.extensions.http } : {}),
      },
    })
  }
  onFault(error)
  return new GraphQLError('Unexpected error.', {
    ...place,
    extensions: { code: 'INTERNAL', requestId },
  })
}
