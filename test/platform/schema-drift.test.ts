import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IndexShape, readIndexes, readShape } from './database-shape.ts'
import { type MigratedDatabase, openMigratedDatabase } from './migrated-database.ts'
import { parseDatamodel } from './prisma-datamodel.ts'
import { compareShapes } from './table-shape.ts'

const datamodel = parseDatamodel(readFileSync('prisma/schema.prisma', 'utf8'))

let database: MigratedDatabase
beforeAll(async () => {
  database = await openMigratedDatabase()
})
afterAll(() => database.close())

/** Changes the database, looks at it, and changes it back. */
async function changed<T>(change: string, look: () => Promise<T>): Promise<T> {
  await database.query('BEGIN')
  try {
    await database.query(change)
    return await look()
  } finally {
    await database.query('ROLLBACK')
  }
}

const drift = async () => compareShapes(datamodel, await readShape(database.query))

describe('schema.prisma', () => {
  test('describes the tables that the migrations make', async () => {
    expect(datamodel.length).toBeGreaterThan(0)
    expect(await drift()).toEqual([])
  })

  test.each([
    [
      'ALTER TABLE bank ADD COLUMN extra integer',
      ['only in the database: column bank.extra integer'],
    ],
    ['ALTER TABLE bank DROP COLUMN name', ['only in schema.prisma: column bank.name text']],
    [
      'ALTER TABLE bank ALTER COLUMN name SET NOT NULL',
      [
        'only in schema.prisma: column bank.name text',
        'only in the database: column bank.name text not null',
      ],
    ],
    [
      'ALTER TABLE bank ALTER COLUMN updated_at TYPE timestamptz',
      [
        'only in schema.prisma: column bank.updated_at timestamp(3) with time zone not null',
        'only in the database: column bank.updated_at timestamp with time zone not null',
      ],
    ],
    [
      'ALTER TABLE operation ALTER COLUMN attempt SET DEFAULT 1',
      [
        'only in schema.prisma: column operation.attempt integer not null default 0',
        'only in the database: column operation.attempt integer not null default 1',
      ],
    ],
    [
      'ALTER TABLE entity ALTER COLUMN aliases DROP DEFAULT',
      [
        "only in schema.prisma: column entity.aliases text[] not null default '{}'::text[]",
        'only in the database: column entity.aliases text[] not null',
      ],
    ],
    [
      'ALTER TABLE memory_vector ALTER COLUMN embedding TYPE vector(3)',
      [
        'only in schema.prisma: column memory_vector.embedding vector not null',
        'only in the database: column memory_vector.embedding vector(3) not null',
      ],
    ],
    [
      'ALTER TABLE mental_model_version DROP CONSTRAINT mental_model_version_pkey',
      [
        'only in schema.prisma: primary key mental_model_version (bank_id, mental_model_id, id)',
        'only in the database: primary key mental_model_version ()',
      ],
    ],
    ['DROP INDEX entity_name', ['only in schema.prisma: unique key entity (bank_id, name_key)']],
    [
      'CREATE UNIQUE INDEX once ON directive (bank_id, name)',
      ['only in the database: unique key directive (bank_id, name)'],
    ],
    [
      'CREATE TABLE extra (bank_id text PRIMARY KEY)',
      [
        'only in the database: column extra.bank_id text not null',
        'only in the database: primary key extra (bank_id)',
        'only in the database: table extra',
      ],
    ],
  ])('differs after %s', async (change, expected) => {
    const before = await drift()
    const found = await changed(change, drift)
    expect(found.filter((line) => !before.includes(line))).toEqual(expected)
  })

  test.each([
    ['an unknown type', '  a Decimal @id', 'No column type known for Decimal'],
    ['an unknown attribute', '  a String @id @ignore', 'Not understood: @ignore'],
    ['an unknown default', '  a String @id @default(uuid())', 'Not understood: @default(uuid())'],
    ['an unknown model attribute', '  a String @id\n  @@schema("b")', 'Not understood: @@schema'],
    ['a relation', '  b B @relation(fields: [a])', 'Not understood: @relation'],
    ['a key over an unknown field', '  a String\n  @@id([b])', 'No field b'],
    ['no key', '  a String', 'needs one @@map and one key'],
  ])('is refused with %s', (_, body, message) => {
    expect(() => parseDatamodel(`model A {\n${body}\n  @@map("a")\n}\n`)).toThrow(message)
  })

  test('may give a default as SQL', () => {
    const [table] = parseDatamodel(
      'model A {\n  a BigInt @id @default(dbgenerated("((f())::text)::bigint")) @map("b")\n  @@map("c")\n}\n',
    )
    expect(table?.columns).toEqual([
      { name: 'b', type: 'bigint', nullable: false, defaultValue: '((f())::text)::bigint' },
    ])
  })
})

/** Indexes that do not start with the bank, each with its reason. */
const CROSS_BANK_INDEXES: Readonly<Record<string, string>> = {
  bank_event_order: 'the stream over all banks reads in this order',
  memory_tags: 'GIN cannot lead with the bank; its bitmap is combined with an index that does',
  clock_tick_pkey: 'a scheduled job belongs to the server',
  setting_pkey: 'a setting belongs to the server',
  _prisma_migrations_pkey: "Prisma's own table",
}

/** An HNSW index holds one vector column and nothing else. */
const crossesBanks = ({ columns, method }: IndexShape) =>
  columns[0] !== 'bank_id' && method !== 'hnsw'

describe('primary keys and indexes', () => {
  const crossing = async () =>
    (await readIndexes(database.query)).filter(crossesBanks).map(({ name }) => name)

  test('start with the bank, but for those listed with a reason', async () => {
    expect((await crossing()).sort()).toEqual(Object.keys(CROSS_BANK_INDEXES).sort())
  })

  test.each([
    'CREATE INDEX fresh ON bank (name)',
    'CREATE INDEX fresh ON operation (status, bank_id)',
    'CREATE INDEX fresh ON entity (lower(bank_id))',
    'CREATE INDEX fresh ON memory (id) INCLUDE (bank_id)',
  ])('are found after %s', async (change) => {
    expect(await changed(change, crossing)).toContain('fresh')
  })

  test('on vectors alone are no breach', async () => {
    const change =
      'CREATE INDEX fresh ON memory_vector USING hnsw ((embedding::vector(3)) vector_cosine_ops)'
    const all = async () => (await readIndexes(database.query)).map(({ name }) => name)
    expect(await changed(change, all)).toContain('fresh')
    expect(await changed(change, crossing)).not.toContain('fresh')
  })
})
