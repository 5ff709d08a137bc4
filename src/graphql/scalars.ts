import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { GraphQLSafeInt } from 'graphql-scalars'
import { builder } from './builder.ts'

/** RFC 3339 with an offset: a time without one means a different instant on every machine. */
const WITH_OFFSET =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/

const MAX_JSON_DEPTH = 20

/** Throws GraphQLError for anything but a valid instant with an offset. */
function parseDateTime(value: unknown): Date {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value
  if (typeof value === 'string' && WITH_OFFSET.test(value) && isRealDay(value)) {
    const date = new Date(value.replace(' ', 'T'))
    if (!Number.isNaN(date.getTime())) return date
  }
  throw new GraphQLError(
    'A DateTime is an ISO 8601 instant with an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T10:30:00+01:00.',
    { extensions: { code: 'BAD_USER_INPUT' } },
  )
}

/** JavaScript reads 30 February as 2 March. */
function isRealDay(value: string): boolean {
  const day = value.slice(0, 10)
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day
}

builder.addScalarType(
  'DateTime',
  new GraphQLScalarType<Date, string>({
    name: 'DateTime',
    description:
      'An instant, ISO 8601 with an offset. Input without an offset is refused; output is in UTC with milliseconds.',
    serialize: (value) => parseDateTime(typeof value === 'string' ? value : value).toISOString(),
    parseValue: parseDateTime,
    parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : null),
  }),
)

builder.addScalarType(
  'JSON',
  new GraphQLScalarType({
    name: 'JSON',
    description: 'Any JSON value: data whose shape the client decides.',
    serialize: (value) => value,
    parseValue: (value) => checkDepth(value),
    parseLiteral: (node, variables) => checkDepth(literal(node, variables ?? {})),
  }),
)

builder.addScalarType('SafeInt', GraphQLSafeInt)

function literal(node: ValueNode, variables: Record<string, unknown>): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value)
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value
    case Kind.NULL:
      return null
    case Kind.VARIABLE:
      return variables[node.name.value]
    case Kind.LIST:
      return node.values.map((value) => literal(value, variables))
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, literal(value, variables)]),
      )
  }
}

/** Deep nesting would exhaust the stack of everything that walks it later. */
function checkDepth(value: unknown, depth = 0): unknown {
  if (depth > MAX_JSON_DEPTH) {
    throw new GraphQLError(`JSON may be nested at most ${MAX_JSON_DEPTH} levels deep.`, {
      extensions: { code: 'BAD_USER_INPUT' },
    })
  }
  if (value !== null && typeof value === 'object') {
    for (const child of Object.values(value)) checkDepth(child, depth + 1)
  }
  return value
}
