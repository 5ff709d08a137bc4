import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth'
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { CloseCode } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { createYoga, type Plugin, useExecutionCancellation, useReadinessCheck } from 'graphql-yoga'
import { WebSocketServer } from 'ws'
import type { Context, Services, Viewer } from '../graphql/context.ts'
import { type ApiKey, authenticate } from './authenticate.ts'
import { limitBody } from './body-limit.ts'
import { EXAMPLE_OPERATIONS } from './example-operations.ts'
import { maskError } from './mask-error.ts'

const GRAPHQL_PATH = '/graphql'
const MAX_DEPTH = 15
/** The longest documented document is one retain; lists of items travel as variables, not as tokens. */
const MAX_TOKENS = 3_000
const MAX_ALIASES = 30
const DRAIN_MS = 5_000
const GOING_AWAY = 1001

export interface ServerOptions {
  readonly schema: GraphQLSchema
  readonly services: Services
  readonly keys: readonly ApiKey[]
  readonly host: string
  readonly port: number
  readonly graphiql: boolean
  /** Whether the database answers and the server is not stopping. */
  readonly isReady: () => Promise<boolean>
  readonly onFault: (error: unknown, requestId: string) => void
}

export interface Server {
  readonly url: string
  /** Tells sockets to come back elsewhere, ends streams by `endStreams`, then lets requests finish. */
  stop(endStreams: () => Promise<void>): Promise<void>
}

/** Serves GraphQL over HTTP, SSE and WebSocket on one path, and /health and /ready. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const yoga = createGraphQL(options)
  const http = createServer((request, response) => {
    if (limitBody(request, response)) void yoga(request, response)
  })
  const sockets = new WebSocketServer({
    server: http,
    path: GRAPHQL_PATH,
    maxPayload: MAX_SOCKET_MESSAGE,
  })
  const disposable = serveSockets(options, yoga, sockets)
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(options.port, options.host, resolve)
  })
  const { port } = http.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${host}:${port}${GRAPHQL_PATH}`,
    stop: async (endStreams) => {
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Going away')
      await disposable.dispose()
      await endStreams()
      const drained = new Promise<void>((resolve) => http.close(() => resolve()))
      http.closeIdleConnections()
      const deadline = setTimeout(() => http.closeAllConnections(), DRAIN_MS)
      await drained
      clearTimeout(deadline)
    },
  }
}

/** Largest message over a WebSocket, in bytes: as over HTTP. */
const MAX_SOCKET_MESSAGE = 10_000_000

interface Transport {
  readonly req?: IncomingMessage
  readonly viewer?: Viewer
}

function createGraphQL(options: ServerOptions) {
  const requestIds = new WeakMap<object, string>()
  return createYoga<Transport, Context>({
    schema: options.schema,
    graphqlEndpoint: GRAPHQL_PATH,
    healthCheckEndpoint: '/health',
    landingPage: false,
    logging: false,
    multipart: false,
    cors: false,
    batching: { limit: 10 },
    graphiql: options.graphiql
      ? { title: 'Engram', defaultQuery: EXAMPLE_OPERATIONS, subscriptionsProtocol: 'WS' }
      : false,
    context: (initial) => {
      const viewer =
        initial.viewer ?? authenticate(options.keys, initial.request?.headers.get('authorization'))
      if (!viewer) throw unauthenticated()
      return createContext(options.services, viewer, initial.request?.signal)
    },
    maskedErrors: {
      maskError: (error) => {
        const requestId = requestIds.get(error as object) ?? randomUUID()
        return maskError(error, requestId, (fault) => options.onFault(fault, requestId))
      },
    },
    plugins: [
      useReadinessCheck({ endpoint: '/ready', check: () => options.isReady() }),
      useExecutionCancellation(),
      maxDepthPlugin({ n: MAX_DEPTH, ignoreIntrospection: true }) as Plugin,
      maxTokensPlugin({ n: MAX_TOKENS }) as Plugin,
      maxAliasesPlugin({ n: MAX_ALIASES, allowList: [] }) as Plugin,
    ],
  })
}

function createContext(
  services: Services,
  viewer: Viewer,
  signal: AbortSignal | undefined,
): Context {
  return {
    viewer,
    requestId: randomUUID(),
    signal: signal ?? new AbortController().signal,
    services,
    loaders: new Map(),
  }
}

function unauthenticated(): GraphQLError {
  return new GraphQLError('A valid API key is needed.', {
    extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
  })
}

/** WebSocket operations run through the same envelope as HTTP: same limits, masking and context. */
function serveSockets(
  options: ServerOptions,
  yoga: ReturnType<typeof createGraphQL>,
  sockets: WebSocketServer,
) {
  return useServer<Record<string, unknown>, { viewer?: Viewer }>(
    {
      onConnect: ({ connectionParams, extra }) => {
        const given = connectionParams?.authorization ?? connectionParams?.Authorization
        const viewer = authenticate(options.keys, given)
        if (!viewer) return false
        extra.viewer = viewer
        return true
      },
      onSubscribe: async (context, _id, payload) => {
        const { viewer } = context.extra
        if (!viewer) return context.extra.socket.close(CloseCode.Forbidden, 'Forbidden')
        const enveloped = yoga.getEnveloped({ viewer, params: payload })
        const { schema, parse, validate, contextFactory, execute, subscribe } = enveloped
        const document = parseOr(() => parse(payload.query))
        if (document instanceof GraphQLError) return [document]
        const errors = validate(schema, document) as readonly GraphQLError[]
        if (errors.length > 0) return errors
        return {
          schema,
          operationName: payload.operationName,
          document,
          variableValues: payload.variables,
          contextValue: await contextFactory(),
          rootValue: { execute, subscribe },
        }
      },
      execute: (args) => (args.rootValue as Enveloped).execute(args),
      subscribe: (args) => (args.rootValue as Enveloped).subscribe(args),
    },
    sockets,
  )
}

interface Enveloped {
  execute(args: unknown): never
  subscribe(args: unknown): never
}

function parseOr<T>(parse: () => T): T | GraphQLError {
  try {
    return parse()
  } catch (error) {
    return error instanceof GraphQLError ? error : new GraphQLError('The document cannot be read.')
  }
}
