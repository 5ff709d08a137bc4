/** What both sides of the comparison are turned into: schema.prisma on one, the migrated database on the other. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly ColumnShape[]
  readonly primaryKey: readonly string[]
  /** Unique keys over plain columns without a condition. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

export interface ColumnShape {
  readonly name: string
  /** As PostgreSQL writes it: `text`, `timestamp(3) with time zone`, `uuid[]`. */
  readonly type: string
  readonly nullable: boolean
  /** The expression as PostgreSQL writes it; null without one. */
  readonly defaultValue: string | null
}

/** Every difference as one line; empty when both are the same. */
export function compareShapes(
  schema: readonly TableShape[],
  database: readonly TableShape[],
): string[] {
  return compareLines(schema.flatMap(describe), database.flatMap(describe))
}

/** One line for each thing that has to be the same, so that two sides can be compared as sets. */
function describe(table: TableShape): string[] {
  const columns = table.columns.map(
    ({ name, type, nullable, defaultValue }) =>
      `column ${table.name}.${name} ${type}${nullable ? '' : ' not null'}${defaultValue === null ? '' : ` default ${simplified(defaultValue)}`}`,
  )
  const keys = table.uniqueKeys.map((key) => `unique key ${table.name} (${key.join(', ')})`)
  const primaryKey = `primary key ${table.name} (${table.primaryKey.join(', ')})`
  return [`table ${table.name}`, primaryKey, ...columns, ...keys]
}

/** The name of a sequence is no part of the schema. */
function simplified(defaultValue: string): string {
  return defaultValue.startsWith('nextval(') ? 'nextval' : defaultValue
}

function compareLines(schema: readonly string[], database: readonly string[]): string[] {
  const only = (left: readonly string[], right: readonly string[], where: string) =>
    left.filter((line) => !right.includes(line)).map((line) => `only in ${where}: ${line}`)
  return [
    ...only(schema, database, 'schema.prisma'),
    ...only(database, schema, 'the database'),
  ].sort()
}
