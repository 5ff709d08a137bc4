import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { startApp } from '../src/app.ts'

/** Starts Engram on an empty embedded database and shows, through the public API only, what it does today. */
const directory = await mkdtemp(join(tmpdir(), 'engram-demo-'))
const say = (line: string) => process.stdout.write(`${line}\n`)
const app = await startApp({
  role: 'all',
  databaseUrl: null,
  dataDirectory: directory,
  poolSize: 1,
  workerSlots: 2,
  host: '127.0.0.1',
  port: 0,
  graphiql: true,
  keys: [],
  environment: {},
  onError: (error, where) => process.stderr.write(`${where}: ${String(error)}\n`),
})
const url = app.url ?? ''
const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })

async function run(title: string, query: string): Promise<void> {
  say(`\n${title}`)
  for await (const answer of client.iterate({ query })) {
    if (answer.errors) throw new Error(JSON.stringify(answer.errors))
    say(JSON.stringify(answer.data, null, 2))
  }
}

async function stop(): Promise<void> {
  await client.dispose()
  await app.stop()
  await rm(directory, { recursive: true, force: true })
}

await run(
  'A bank is made, with its own configuration:',
  'mutation { createBank(input: { bankId: "garden", name: "Community garden", config: { dispositionEmpathy: 4 } }) { ... on CreateBankSuccess { bank { id configOverrides streamCursor } } ... on Error { message } } }',
)
await run(
  'A wrong configuration names everything that is wrong with it:',
  'mutation { updateBankConfig(input: { bankId: "garden", config: { dispositionEmpathy: 9, retainChunkSize: 0 } }) { ... on ValidationError { issues { path message code } } } }',
)
say(`\nEngram answers on ${url}`)
if (process.argv.includes('--exit')) await stop()
else {
  say('Stop it with Ctrl+C.')
  process.once('SIGINT', () => void stop().then(() => process.exit(0)))
}
