import { authorize, maySee } from '../../graphql/authorize.ts'
import { builder } from '../../graphql/builder.ts'
import { connectionOf, pageArguments } from '../../graphql/connection.ts'
import { ErrorCodeEnum } from '../../graphql/errors.schema.ts'
import { bankMutation } from '../../graphql/mutation.ts'
import { globalId, NodeInterface, registerNode } from '../../graphql/node.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import type { OperationErrorData, OperationRow } from '../../platform/operations/operation.ts'
import { BankRef } from '../banks/bank.schema.ts'
import type { OperationService } from './operation.service.ts'
import {
  OperationStatusEnum,
  OperationTypeEnum,
  ParkedReasonEnum,
} from './operation-enums.schema.ts'

declare module '../../graphql/context.ts' {
  interface Services {
    operations: OperationService
  }
}

export interface ProgressData {
  readonly stage: string
  readonly processed?: number
  readonly total?: number
  readonly detail?: unknown
  readonly at: string
}

export const OperationProgressRef = builder.objectRef<ProgressData>('OperationProgress').implement({
  description: 'How far a running operation is.',
  fields: (t) => ({
    stage: t.exposeString('stage', { description: 'What it is doing.' }),
    processed: t.int({
      nullable: true,
      description: 'Done so far.',
      resolve: ({ processed }) => processed ?? null,
    }),
    total: t.int({
      nullable: true,
      description: 'Of how many.',
      resolve: ({ total }) => total ?? null,
    }),
    fraction: t.float({
      nullable: true,
      description: 'Done so far, from 0 to 1.',
      resolve: ({ processed, total }) =>
        processed === undefined || !total ? null : processed / total,
    }),
    detail: t.field({
      type: 'JSON',
      description: 'Further counters.',
      resolve: ({ detail }) => detail ?? {},
    }),
    at: t.field({ type: 'DateTime', description: 'When it was so.', resolve: ({ at }) => at }),
  }),
})

const OperationErrorRef = builder.objectRef<OperationErrorData>('OperationError').implement({
  description: 'Why an attempt failed.',
  fields: (t) => ({
    code: t.field({
      type: ErrorCodeEnum,
      description: 'For programs.',
      resolve: ({ code }) => code as ErrorCode,
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Fine, stable sub-code.' }),
    message: t.exposeString('message', { description: 'For people.' }),
    retryable: t.exposeBoolean('retryable', { description: 'Whether trying again may help.' }),
  }),
})

const TokenUsageRef = builder
  .objectRef<{ inputTokens: number; outputTokens: number }>('TokenUsage')
  .implement({
    description: 'Tokens spent on models.',
    fields: (t) => ({
      inputTokens: t.field({
        type: 'SafeInt',
        description: 'Read.',
        resolve: ({ inputTokens }) => inputTokens,
      }),
      outputTokens: t.field({
        type: 'SafeInt',
        description: 'Written.',
        resolve: ({ outputTokens }) => outputTokens,
      }),
      totalTokens: t.field({
        type: 'SafeInt',
        description: 'Both.',
        resolve: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
      }),
    }),
  })

export const OperationRef = builder.objectRef<OperationRow>('Operation')
export const OperationConnection = connectionOf('Operation', OperationRef)

OperationRef.implement({
  description: 'A piece of long work.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description: 'Global id.',
      resolve: ({ bankId, id }) => globalId('Operation', bankId, id),
    }),
    operationId: t.id({ description: 'Id within the bank.', resolve: ({ id }) => id }),
    bank: t.field({
      type: BankRef,
      description: 'Its bank.',
      resolve: async ({ bankId }, _args, { services }) => {
        const bank = await services.banks.find(bankId)
        if (!bank) throw new Error('The bank was deleted while it was read.')
        return bank
      },
    }),
    type: t.field({
      type: OperationTypeEnum,
      description: 'What it does.',
      resolve: ({ type }) => type as never,
    }),
    status: t.field({
      type: OperationStatusEnum,
      description: 'Where it stands.',
      resolve: ({ status }) => status as never,
    }),
    progress: t.field({
      type: OperationProgressRef,
      nullable: true,
      description: 'How far it is; null until it has said so.',
      resolve: ({ progress }) => progress as unknown as ProgressData | null,
    }),
    attempt: t.exposeInt('attempt', { description: 'Attempts begun.' }),
    maxAttempts: t.exposeInt('maxAttempts', { description: 'Attempts allowed.' }),
    error: t.field({
      type: OperationErrorRef,
      nullable: true,
      description: 'Why the last attempt failed.',
      resolve: ({ error }) => error as unknown as OperationErrorData | null,
    }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'While parked or waiting to retry.',
      resolve: (row) => row.nextAttemptAt,
    }),
    parkedReason: t.field({
      type: ParkedReasonEnum,
      nullable: true,
      description: 'Why it waits.',
      resolve: ({ parkedReason }) => parkedReason as never,
    }),
    parent: t.field({
      type: OperationRef,
      nullable: true,
      description: 'The operation that it is part of.',
      resolve: ({ bankId, parentId }, _args, { services }) =>
        parentId ? services.operations.find(bankId, parentId) : null,
    }),
    children: t.field({
      type: OperationConnection,
      description: 'Its parts.',
      args: pageArguments,
      resolve: ({ bankId, id }, args, { services }) =>
        services.operations.list([bankId], args, { parentId: id }),
    }),
    usage: t.field({
      type: TokenUsageRef,
      description: 'Tokens spent on models.',
      resolve: (row) => ({
        inputTokens: Number(row.inputTokens),
        outputTokens: Number(row.outputTokens),
      }),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was asked for.',
      resolve: (row) => row.createdAt,
    }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When its first attempt began.',
      resolve: (row) => row.startedAt,
    }),
    completedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it ended.',
      resolve: (row) => row.completedAt,
    }),
  }),
})

registerNode(OperationRef, async ([bankId = '', id = '', ...rest], { services }) =>
  rest.length === 0 ? services.operations.find(bankId, id) : null,
)

export const OperationFilterInput = builder.inputType('OperationFilter', {
  description: 'Which operations.',
  fields: (t) => ({
    types: t.field({ type: [OperationTypeEnum], description: 'Of these types.' }),
    statuses: t.field({ type: [OperationStatusEnum], description: 'In these states.' }),
    mentalModelId: t.string({ description: 'Of this mental model.' }),
    documentId: t.string({ description: 'Of this document.' }),
    parentId: t.id({ description: 'Parts of this operation.' }),
    topLevelOnly: t.boolean({ defaultValue: false, description: 'Leave out parts of others.' }),
  }),
})

const listArguments = builder.args((t) => ({
  filter: t.field({ type: OperationFilterInput, description: 'Which ones.' }),
}))

builder.queryField('operations', (t) =>
  t.field({
    type: OperationConnection,
    description: 'Operations over all banks that the caller may see, newest first.',
    args: { ...pageArguments, ...listArguments },
    resolve: (_root, { filter, ...page }, context) => {
      authorize(context, 'READ')
      return context.services.operations.list(context.viewer.bankIds, page, filter ?? {})
    },
  }),
)

builder.objectFields(BankRef, (t) => ({
  operation: t.field({
    type: OperationRef,
    nullable: true,
    description: 'One operation; null when there is none.',
    args: { operationId: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: ({ bankId }, { operationId }, { services }) =>
      services.operations.find(bankId, operationId),
  }),
  operations: t.field({
    type: OperationConnection,
    description: 'Operations of the bank, newest first.',
    args: { ...pageArguments, ...listArguments },
    resolve: ({ bankId }, { filter, ...page }, context) =>
      maySee(context.viewer, bankId)
        ? context.services.operations.list([bankId], page, filter ?? {})
        : context.services.operations.list([], page, {}),
  }),
}))

const OperationRefInputRef = builder.inputType('OperationRef', {
  description: 'Names an operation.',
  fields: (t) => ({
    bankId: t.string({ required: true, description: 'Id of the bank.' }),
    operationId: t.id({ required: true, description: 'Id of the operation.' }),
  }),
})

function operationSuccess(name: string) {
  return builder.objectRef<{ operation: OperationRow }>(name).implement({
    description: 'It is done.',
    fields: (t) => ({
      operation: t.field({
        type: OperationRef,
        description: 'The operation.',
        resolve: ({ operation }) => operation,
      }),
    }),
  })
}

bankMutation('cancelOperation', {
  description: 'Ends an operation, also one that is running. Its parts end too.',
  input: OperationRefInputRef,
  success: operationSuccess('CancelOperationSuccess'),
  errors: ['NotFoundError', 'ConflictError'],
  resolve: async (input, { services }) => ({ operation: await services.operations.cancel(input) }),
})
bankMutation('retryOperation', {
  description: 'Starts a failed or cancelled operation anew.',
  input: OperationRefInputRef,
  success: operationSuccess('RetryOperationSuccess'),
  errors: ['NotFoundError', 'ConflictError'],
  resolve: async (input, { services }) => ({ operation: await services.operations.retry(input) }),
})
bankMutation('deleteOperation', {
  description: 'Removes an operation that has ended, and its parts.',
  input: OperationRefInputRef,
  success: builder
    .objectRef<{ bankId: string; operationId: string }>('DeleteOperationSuccess')
    .implement({
      description: 'It is gone.',
      fields: (t) => ({
        deletedId: t.id({
          description: 'Its global id, to evict.',
          resolve: ({ bankId, operationId }) => globalId('Operation', bankId, operationId),
        }),
        operationId: t.id({ description: 'Its id.', resolve: ({ operationId }) => operationId }),
      }),
    }),
  errors: ['NotFoundError', 'ConflictError'],
  resolve: async (input, { services }) => {
    await services.operations.delete(input)
    return input
  },
})
