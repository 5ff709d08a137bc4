import { builder } from '../../graphql/builder.ts'
import type { BankConfig } from './bank-config.ts'
import type { EntityLabelField } from './entity-labels.ts'

type Label = BankConfig['entityLabels'][number]

const LabelType = builder.enumType('LabelType', {
  description: 'What a label may hold.',
  values: {
    VALUE: { description: 'One of its values.' },
    MULTI_VALUES: { description: 'Several of its values.' },
    TEXT: { description: 'Any text.' },
    MAP: { description: 'Named fields.' },
  } as const,
})

const EntityLabelValueRef = builder
  .objectRef<Label['values'][number]>('EntityLabelValue')
  .implement({
    description: 'One value of the vocabulary.',
    fields: (t) => ({
      value: t.exposeString('value', { description: 'The value.' }),
      description: t.exposeString('description', { description: 'When it applies.' }),
    }),
  })

const EntityLabelFieldRef = builder.objectRef<EntityLabelField>('EntityLabelField')
EntityLabelFieldRef.implement({
  description: 'One field of a MAP label.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    description: t.exposeString('description', { description: 'What it holds.' }),
    type: t.field({ type: LabelType, description: 'Its type.', resolve: (field) => field.type }),
    values: t.field({
      type: [EntityLabelValueRef],
      description: 'Its values.',
      resolve: (field) => [...field.values],
    }),
    fields: t.field({
      type: [EntityLabelFieldRef],
      description: 'Its fields.',
      resolve: (field) => [...field.fields],
    }),
  }),
})

export const EntityLabelRef = builder.objectRef<Label>('EntityLabel').implement({
  description: 'One dimension of classification.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Prefix of its entities.' }),
    description: t.exposeString('description', { description: 'Guidance for the model.' }),
    type: t.field({
      type: LabelType,
      description: 'What it may hold.',
      resolve: (label) => label.type,
    }),
    optional: t.exposeBoolean('optional', { description: 'False: a value must be chosen.' }),
    tag: t.exposeBoolean('tag', { description: 'Its labels are tags too.' }),
    values: t.field({
      type: [EntityLabelValueRef],
      description: 'The vocabulary.',
      resolve: (label) => [...label.values],
    }),
    fields: t.field({
      type: [EntityLabelFieldRef],
      description: 'Fields of a MAP.',
      resolve: (label) => [...label.fields],
    }),
  }),
})

const EntityLabelValueInput = builder.inputType('EntityLabelValueInput', {
  description: 'One value of the vocabulary.',
  fields: (t) => ({
    value: t.string({ required: true, description: 'The value.' }),
    description: t.string({ description: 'When it applies.' }),
  }),
})

interface FieldInput {
  name: string
  description?: string | null
  type?: Label['type'] | null
  values?: { value: string; description?: string | null }[] | null
  fields?: FieldInput[] | null
}

const EntityLabelFieldInput = builder.inputRef<FieldInput>('EntityLabelFieldInput')
EntityLabelFieldInput.implement({
  description: 'One field of a MAP label.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    description: t.string({ description: 'What it holds.' }),
    type: t.field({ type: LabelType, defaultValue: 'TEXT', description: 'Its type.' }),
    values: t.field({ type: [EntityLabelValueInput], description: 'Its values.' }),
    fields: t.field({ type: [EntityLabelFieldInput], description: 'Its fields.' }),
  }),
})

export const EntityLabelInput = builder.inputType('EntityLabelInput', {
  description: 'One dimension of classification.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Prefix of its entities.' }),
    description: t.string({ description: 'Guidance for the model.' }),
    type: t.field({ type: LabelType, defaultValue: 'VALUE', description: 'What it may hold.' }),
    optional: t.boolean({ defaultValue: true, description: 'False: a value must be chosen.' }),
    tag: t.boolean({ defaultValue: false, description: 'Its labels are tags too.' }),
    values: t.field({ type: [EntityLabelValueInput], description: 'The vocabulary.' }),
    fields: t.field({ type: [EntityLabelFieldInput], description: 'Fields of a MAP.' }),
  }),
})
