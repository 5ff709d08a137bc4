import { z } from 'zod'

const MAX_LABELS = 50
const MAX_VALUES = 200
const MAX_FIELDS = 30
const MAX_DEPTH = 4

export const LABEL_TYPES = ['VALUE', 'MULTI_VALUES', 'TEXT', 'MAP'] as const

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^:\s]+$/, 'may hold no colon and no blank')
const description = z
  .string()
  .max(2_000)
  .nullish()
  .transform((value) => value ?? '')
const valueSchema = z.strictObject({ value: z.string().trim().min(1).max(200), description })
const values = z
  .array(valueSchema)
  .max(MAX_VALUES)
  .nullish()
  .transform((value) => value ?? [])

export interface EntityLabelField {
  readonly name: string
  readonly description: string
  readonly type: (typeof LABEL_TYPES)[number]
  readonly values: readonly { readonly value: string; readonly description: string }[]
  readonly fields: readonly EntityLabelField[]
}

function fieldSchema(depth: number): z.ZodType<EntityLabelField> {
  const fields =
    depth >= MAX_DEPTH
      ? z
          .array(z.never('is nested too deeply'))
          .nullish()
          .transform(() => [])
      : z
          .array(z.lazy(() => fieldSchema(depth + 1)))
          .max(MAX_FIELDS)
          .nullish()
          .transform((value) => value ?? [])
  return z
    .strictObject({
      name,
      description,
      type: z
        .enum(LABEL_TYPES)
        .nullish()
        .transform((t) => t ?? 'TEXT'),
      values,
      fields,
    })
    .superRefine(checkShape) as unknown as z.ZodType<EntityLabelField>
}

const labelSchema = z
  .strictObject({
    key: name,
    description,
    type: z
      .enum(LABEL_TYPES)
      .nullish()
      .transform((t) => t ?? 'VALUE'),
    optional: z
      .boolean()
      .nullish()
      .transform((value) => value ?? true),
    tag: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
    values,
    fields: z
      .array(fieldSchema(1))
      .max(MAX_FIELDS)
      .nullish()
      .transform((value) => value ?? []),
  })
  .superRefine(checkShape)

/** The controlled vocabulary of a bank: label groups with unique keys. */
export const entityLabelsSchema = z
  .array(labelSchema)
  .max(MAX_LABELS)
  .superRefine((labels, context) => {
    reportRepeated(
      labels.map(({ key }) => key),
      (index) => [index, 'key'],
      context,
    )
  })

function checkShape(
  label: {
    type: string
    values: readonly { value: string }[]
    fields: readonly { name: string }[]
  },
  context: z.RefinementCtx,
): void {
  const enumerated = label.type === 'VALUE' || label.type === 'MULTI_VALUES'
  if (enumerated && label.values.length === 0) {
    context.addIssue({
      code: 'custom',
      path: ['values'],
      message: `a ${label.type} label needs values`,
    })
  }
  if (label.type === 'MAP' && label.fields.length === 0) {
    context.addIssue({ code: 'custom', path: ['fields'], message: 'a MAP label needs fields' })
  }
  reportRepeated(
    label.values.map(({ value }) => value),
    (index) => ['values', index, 'value'],
    context,
  )
  reportRepeated(
    label.fields.map((field) => field.name),
    (index) => ['fields', index, 'name'],
    context,
  )
}

function reportRepeated(
  names: readonly string[],
  pathOf: (index: number) => (string | number)[],
  context: z.RefinementCtx,
): void {
  names.forEach((one, index) => {
    if (names.indexOf(one) < index) {
      context.addIssue({ code: 'custom', path: pathOf(index), message: `repeats "${one}"` })
    }
  })
}
