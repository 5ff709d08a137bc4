import SchemaBuilder from '@pothos/core'
import ErrorsPlugin from '@pothos/plugin-errors'
import type { Context } from './context.ts'

interface UserTypes {
  Context: Context
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: Date | string }
    JSON: { Input: unknown; Output: unknown }
    SafeInt: { Input: number; Output: number }
  }
}

export type SchemaTypes = PothosSchemaTypes.ExtendDefaultTypes<UserTypes>

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The schema's builder: configuration only. Types stand in the feature they belong to. */
export const builder = new SchemaBuilder<UserTypes>({
  plugins: [ErrorsPlugin],
  defaultFieldNullability: false,
  errors: {
    defaultTypes: [],
    directResult: true,
    defaultUnionOptions: {
      name: ({ fieldName }) => `${capitalised(fieldName)}Result`,
    },
  },
})

builder.queryType({ description: 'Everything that can be read.' })
builder.mutationType({ description: 'Everything that can be changed.' })
builder.subscriptionType({
  description:
    'Live streams. `after` resumes: history after that cursor is replayed, then live. The first message is always StreamOpened.',
})
