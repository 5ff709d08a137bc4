import type { ColumnShape, TableShape } from './table-shape.ts'

/**
 * The tables that a schema.prisma describes. Reads the subset this project uses and throws on anything else, so that
 * nothing escapes the comparison by being unknown. The client generated from it keeps neither native types nor
 * defaults, hence the text.
 */
export function parseDatamodel(text: string): TableShape[] {
  const models = [...text.matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)].map((match) => match[1] ?? '')
  return models.map(parseModel)
}

function parseModel(body: string): TableShape {
  const lines = body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
  const fields = lines.filter((line) => !line.startsWith('@@')).map(parseField)
  const attributes = lines.filter((line) => line.startsWith('@@')).map(parseModelAttribute)

  const columnOf = (field: string): string => {
    const found = fields.find(({ fieldName }) => fieldName === field)
    if (!found) throw new Error(`No field ${field} among: ${fields.map((f) => f.fieldName)}`)
    return found.column.name
  }
  const keys = (kind: string) =>
    attributes.filter((a) => a.kind === kind).map((a) => a.fields.map(columnOf))
  const single = (attribute: 'id' | 'unique') =>
    fields.filter((field) => field.attributes.has(attribute)).map(({ column }) => [column.name])

  const name = attributes.find(({ kind }) => kind === 'map')?.mapped
  const [primaryKey, ...more] = [...single('id'), ...keys('id')]
  if (!name || !primaryKey || more.length > 0) {
    throw new Error(`A model needs one @@map and one key:\n${body}`)
  }
  return {
    name,
    columns: fields.map(({ column }) => column),
    primaryKey,
    uniqueKeys: [...single('unique'), ...keys('unique')],
  }
}

interface ModelAttribute {
  readonly kind: string
  readonly mapped: string
  readonly fields: readonly string[]
}

function parseModelAttribute(line: string): ModelAttribute {
  const match = /^@@(?:(map)\("(\w+)"\)|(id|unique)\(\[([\w, ]+)\]\))$/.exec(line)
  if (!match) throw new Error(`Not understood: ${line}`)
  const [, map, mapped = '', key, fields = ''] = match
  return { kind: map ?? key ?? '', mapped, fields: fields.split(', ').filter(Boolean) }
}

interface Field {
  readonly fieldName: string
  readonly column: ColumnShape
  readonly attributes: ReadonlyMap<string, string>
}

const FIELD = /^(\w+)\s+(\w+|Unsupported\("[^"]+"\))(\[\]|\?)?(?:\s+(.*))?$/

function parseField(line: string): Field {
  const [, fieldName = '', type = '', suffix = '', rest = ''] = FIELD.exec(line) ?? []
  if (!fieldName) throw new Error(`Not understood: ${line}`)
  const attributes = parseAttributes(rest, line)
  const native = [...attributes.keys()].find((name) => name.startsWith('db.'))
  const element = columnType(type, native, native && attributes.get(native))
  const columnTypeName = suffix === '[]' ? `${element}[]` : element
  const value = attributes.get('default')
  return {
    fieldName,
    attributes,
    column: {
      name: attributes.get('map')?.slice(1, -1) ?? fieldName,
      type: columnTypeName,
      nullable: suffix === '?',
      defaultValue: value === undefined ? null : defaultExpression(value, type, columnTypeName),
    },
  }
}

/** One attribute and its argument, in which parentheses may be nested once, or to any depth inside a string. */
const ATTRIBUTE =
  /@(id|unique|default|map|db\.\w+)(?:\(((?:"(?:[^"\\]|\\.)*"|\((?:"(?:[^"\\]|\\.)*"|[^()"])*\)|[^()"])*)\))?(?=\s|$)/g

/** `@id @default("{}") @db.Timestamptz(3)` as a map from the name to what is in the parentheses. */
function parseAttributes(text: string, line: string): Map<string, string> {
  const attributes = new Map<string, string>()
  let rest = text
  for (const [whole, name = '', argument = ''] of text.matchAll(ATTRIBUTE)) {
    attributes.set(name, argument)
    rest = rest.replace(whole, '')
  }
  if (rest.trim() !== '') throw new Error(`Not understood: ${rest.trim()} in ${line}`)
  return attributes
}

const TYPES: Readonly<Record<string, string>> = {
  String: 'text',
  'String db.Uuid': 'uuid',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  'Float db.Real': 'real',
  Json: 'jsonb',
  Bytes: 'bytea',
}

function columnType(type: string, native?: string, argument?: string): string {
  const unsupported = /^Unsupported\("([^"]+)"\)$/.exec(type)?.[1]
  if (unsupported && !native) return unsupported
  if (type === 'DateTime' && native === 'db.Timestamptz') {
    return `timestamp(${argument}) with time zone`
  }
  const found = TYPES[native ? `${type} ${native}` : type]
  if (!found) throw new Error(`No column type known for ${type} ${native ?? ''}`)
  return found
}

/** How PostgreSQL writes the default that `@default(value)` means. */
function defaultExpression(value: string, type: string, columnTypeName: string): string {
  if (value === 'autoincrement()') return 'nextval('
  const generated = /^dbgenerated\("(.*)"\)$/.exec(value)?.[1]
  if (generated !== undefined) return generated
  if (value === '[]') return `'{}'::${columnTypeName}`
  if (/^".*"$/.test(value)) return `'${value.slice(1, -1)}'::${columnTypeName}`
  if (/^(-?\d+|true|false)$/.test(value) && type !== 'String') return value
  throw new Error(`Not understood: @default(${value})`)
}
