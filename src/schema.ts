import './graphql/scalars.ts'
import './graphql/errors.schema.ts'
import './features/banks/bank.schema.ts'
import './graphql/node.ts'
import './features/operations/operation.schema.ts'
import './features/operations/operation-stream.schema.ts'
import { builder } from './graphql/builder.ts'

export const schema = builder.toSchema()
