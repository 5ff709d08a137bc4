import {
  ConflictError,
  type EngramError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnavailableError,
  ValidationError,
  type ValidationIssue,
} from '../lib/errors.ts'
import { builder } from './builder.ts'

export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description: 'The closed set of error codes.',
  values: {
    BAD_USER_INPUT: { description: 'The input is wrong.' },
    NOT_FOUND: { description: 'There is no such thing.' },
    CONFLICT: { description: 'It cannot be done in the state that things are in.' },
    FORBIDDEN: { description: 'The key does not allow it.' },
    UNAUTHENTICATED: { description: 'The request carries no valid key.' },
    RATE_LIMITED: { description: 'Too many requests.' },
    UNAVAILABLE: { description: 'A model or the database is out of reach.' },
    TIMEOUT: { description: 'It took longer than it may.' },
    INTERNAL: { description: 'A fault of the server.' },
  },
})

export const ErrorInterface = builder.interfaceRef<EngramError>('Error').implement({
  description: 'What every error says.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'What went wrong, for people.' }),
    code: t.field({
      type: ErrorCodeEnum,
      description: 'What went wrong, for programs.',
      resolve: (error) => error.code,
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Fine, stable sub-code such as TRIGGER_CONFLICT.',
    }),
  }),
})

const ValidationIssueRef = builder.objectRef<ValidationIssue>('ValidationIssue').implement({
  description: 'One thing wrong with an input.',
  fields: (t) => ({
    path: t.exposeStringList('path', { description: "Leads from the input's root to the field." }),
    message: t.exposeString('message', { description: 'What is wrong with it.' }),
    code: t.exposeString('code', { description: 'Stable code, such as REQUIRED or OUT_OF_RANGE.' }),
  }),
})

builder.objectType(ValidationError, {
  name: 'ValidationError',
  description: 'The input is wrong; every problem is named, and nothing was changed.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    issues: t.field({
      type: [ValidationIssueRef],
      description: 'All problems found.',
      resolve: (error) => [...error.issues],
    }),
  }),
})

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  description: 'There is no such thing, or the key may not see it.',
  interfaces: [ErrorInterface],
})
builder.objectType(ConflictError, {
  name: 'ConflictError',
  description: 'It cannot be done in the state that things are in.',
  interfaces: [ErrorInterface],
})
builder.objectType(ForbiddenError, {
  name: 'ForbiddenError',
  description: 'The key does not allow it.',
  interfaces: [ErrorInterface],
})
builder.objectType(RateLimitedError, {
  name: 'RateLimitedError',
  description: 'Too many requests by this key.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    retryAfterMs: t.exposeInt('retryAfterMs', {
      nullable: true,
      description: 'Milliseconds until it is worth trying again.',
    }),
  }),
})
builder.objectType(UnavailableError, {
  name: 'UnavailableError',
  description: 'A model or the database is out of reach.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    retryAfterMs: t.exposeInt('retryAfterMs', {
      nullable: true,
      description: 'Milliseconds until it is worth trying again.',
    }),
  }),
})
