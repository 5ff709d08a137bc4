import { type Client, createClient } from 'graphql-ws'
import { afterAll, beforeAll } from 'vitest'
import { WebSocket } from 'ws'
import { type App, type AppOptions, startApp } from '../../src/app.ts'
import { openTestDatabase } from './database.ts'

export type Json = Record<string, unknown>

export interface Answer {
  readonly status: number
  readonly data: Json | null
  readonly errors: readonly { message: string; extensions: Json }[]
}

/** A running app over a database of its own, for all tests of a file. */
export class TestApp {
  #app: App | null = null
  #clients: Client[] = []
  readonly faults: unknown[] = []

  async start(overrides: Partial<AppOptions>): Promise<void> {
    this.#app = await startApp({
      role: 'all',
      databaseUrl: null,
      dataDirectory: '',
      poolSize: 4,
      workerSlots: 2,
      host: '127.0.0.1',
      port: 0,
      graphiql: true,
      keys: [],
      environment: {},
      database: await openTestDatabase(),
      onError: (error) => void this.faults.push(error),
      ...overrides,
    })
  }

  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.dispose()))
    await this.#app?.stop()
  }

  get url(): string {
    if (!this.#app?.url) throw new Error('The app serves nothing.')
    return this.#app.url
  }

  get services(): App['services'] {
    if (!this.#app) throw new Error('The app is not running.')
    return this.#app.services
  }

  async send(
    query: string,
    variables: Json = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    const { data = null, errors = [] } = (await response.json()) as Partial<Answer>
    return { status: response.status, data, errors }
  }

  /** The messages of a subscription over a real socket. */
  subscribe(
    query: string,
    variables: Json = {},
    connectionParams: Json = {},
  ): AsyncIterableIterator<Json> {
    const client = createClient({
      url: this.url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams,
    })
    this.#clients.push(client)
    return client.iterate({ query, variables }) as unknown as AsyncIterableIterator<Json>
  }
}

export function useApp(overrides: Partial<AppOptions> = {}): TestApp {
  const app = new TestApp()
  beforeAll(() => app.start(overrides))
  afterAll(() => app.stop())
  return app
}
