import type { InputRef, ObjectRef } from '@pothos/core'
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnavailableError,
  ValidationError,
} from '../lib/errors.ts'
import { authorize } from './authorize.ts'
import { builder, type SchemaTypes } from './builder.ts'
import type { Context, Scope } from './context.ts'

/** Error classes that are members of result unions. */
const ERRORS = { ConflictError, NotFoundError, RateLimitedError, UnavailableError } as const

export interface BankMutation<Input extends { bankId: string }, Success> {
  readonly description: string
  readonly input: InputRef<Input>
  readonly success: ObjectRef<SchemaTypes, Success>
  /** Members of the result union beside ValidationError and ForbiddenError. */
  readonly errors?: readonly (keyof typeof ERRORS | (new (...args: never[]) => Error))[]
  readonly scope?: Scope
  resolve(input: Input, context: Context): Promise<Success>
}

/** A mutation of one bank: checks the key, then answers `NameResult`, a union of the success type and the errors it can produce. */
export function bankMutation<Input extends { bankId: string }, Success>(
  name: string,
  {
    description,
    input,
    success,
    errors = [],
    scope = 'WRITE',
    resolve,
  }: BankMutation<Input, Success>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: success,
      description,
      args: { input: t.arg({ type: input, required: true, description: 'What to do.' }) },
      errors: {
        types: [
          ValidationError,
          ForbiddenError,
          ...errors.map((error) => (typeof error === 'string' ? ERRORS[error] : error)),
        ] as (new (
          ...args: never[]
        ) => Error)[] as [],
      },
      resolve: (async (_root: unknown, args: { input: Input }, context: Context) => {
        authorize(context, scope, args.input.bankId)
        return resolve(args.input, context)
      }) as never,
    }),
  )
}
