import { z } from 'zod'
import type { TableShape } from './table-shape.ts'

export type Query = (sql: string) => Promise<unknown[]>

/** Prisma's own book of migrations is in no schema.prisma. */
const PRISMA_BOOK = '_prisma_migrations'

const COLUMNS = `
SELECT c.relname AS table_name, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
  NOT a.attnotnull AS nullable, pg_get_expr(d.adbin, d.adrelid) AS default_value
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
ORDER BY c.relname, a.attnum`

/** Columns that an index only INCLUDEs are no part of its key. */
const INDEXES = `
SELECT t.relname AS table_name, i.relname AS name, m.amname AS method, x.indisprimary AS is_primary,
  x.indisunique AS is_unique, x.indpred IS NOT NULL AS is_partial,
  (SELECT json_agg(coalesce(a.attname, '(expression)') ORDER BY k.position)
   FROM unnest(x.indkey::int2[]) WITH ORDINALITY k(attnum, position)
   LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
   WHERE k.position <= x.indnkeyatts) AS columns
FROM pg_index x
JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_class t ON t.oid = x.indrelid
JOIN pg_am m ON m.oid = i.relam
JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE n.nspname = 'public'
ORDER BY t.relname, i.relname`

const columnRow = z.object({
  table_name: z.string(),
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  default_value: z.string().nullable(),
})

const indexRow = z.object({
  table_name: z.string(),
  name: z.string(),
  method: z.string(),
  is_primary: z.boolean(),
  is_unique: z.boolean(),
  is_partial: z.boolean(),
  columns: z.array(z.string()),
})

export type IndexShape = z.infer<typeof indexRow>

/** Every index of the database's public tables, those behind primary keys included. */
export async function readIndexes(query: Query): Promise<IndexShape[]> {
  return z.array(indexRow).parse(await query(INDEXES))
}

/** The tables of a database, without Prisma's own. */
export async function readShape(query: Query): Promise<TableShape[]> {
  const columns = z.array(columnRow).parse(await query(COLUMNS))
  const indexes = await readIndexes(query)
  const names = [...new Set(columns.map((column) => column.table_name))]
  return names
    .filter((name) => name !== PRISMA_BOOK)
    .map((name) => {
      const own = indexes.filter((index) => index.table_name === name)
      return {
        name,
        columns: columns
          .filter((column) => column.table_name === name)
          .map(({ default_value, ...column }) => ({ ...column, defaultValue: default_value })),
        primaryKey: own.find((index) => index.is_primary)?.columns ?? [],
        uniqueKeys: own.filter(isUniqueKey).map((index) => index.columns),
      }
    })
}

/** Prisma can say neither a condition nor an expression, so such indexes stand in the migrations only. */
function isUniqueKey(index: IndexShape): boolean {
  return (
    index.is_unique &&
    !index.is_primary &&
    !index.is_partial &&
    !index.columns.includes('(expression)')
  )
}
