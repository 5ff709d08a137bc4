import { authorize, maySee } from '../../graphql/authorize.ts'
import { builder } from '../../graphql/builder.ts'
import { connectionOf, pageArguments } from '../../graphql/connection.ts'
import { bankMutation } from '../../graphql/mutation.ts'
import { globalId, NodeInterface, registerNode } from '../../graphql/node.ts'
import type { BankService } from './bank.service.ts'
import type { Bank } from './bank.store.ts'
import { BankConfigInput, BankConfigRef } from './bank-config.schema.ts'

declare module '../../graphql/context.ts' {
  interface Services {
    banks: BankService
  }
}

export const BankRef = builder.objectRef<Bank>('Bank').implement({
  description: 'An isolated store of memories.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ description: 'Global id.', resolve: ({ bankId }) => globalId('Bank', bankId) }),
    bankId: t.exposeString('bankId', { description: 'The id that its owner chose.' }),
    name: t.exposeString('name', { nullable: true, description: 'A name for people.' }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was made.',
      resolve: (bank) => bank.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When its name or configuration last changed.',
      resolve: (bank) => bank.updatedAt,
    }),
    config: t.field({
      type: BankConfigRef,
      description: "The server's defaults with the bank's overrides over them.",
      resolve: (bank, _args, { services }) => services.banks.config(bank),
    }),
    configOverrides: t.field({
      type: 'JSON',
      description: 'Only what this bank overrides, as BankConfigInput accepts it.',
      resolve: (bank) => bank.config,
    }),
    streamCursor: t.string({
      description: 'Read it with the data and subscribe after it: nothing in between is missed.',
      resolve: (bank, _args, { services }) => services.banks.streamCursor(bank.bankId),
    }),
  }),
})

registerNode(BankRef, async ([bankId = '', ...rest], { services }) =>
  rest.length === 0 ? services.banks.find(bankId) : null,
)

const BankConnection = connectionOf('Bank', BankRef)

builder.queryFields((t) => ({
  bank: t.field({
    type: BankRef,
    nullable: true,
    description:
      'The bank with this id; null when there is none that the caller may see. Reading never makes one.',
    args: { bankId: t.arg.string({ required: true, description: 'Its id.' }) },
    resolve: (_root, { bankId }, context) =>
      maySee(context.viewer, bankId) ? context.services.banks.find(bankId) : null,
  }),
  banks: t.field({
    type: BankConnection,
    description: 'The banks that the caller may see, newest first.',
    args: {
      ...pageArguments,
      search: t.arg.string({ description: 'Part of the id or the name, in any case.' }),
    },
    resolve: (_root, { search, ...page }, context) => {
      authorize(context, 'READ')
      return context.services.banks.list(page, search ?? null, context.viewer.bankIds)
    },
  }),
}))

const bankIdField = 'Id of the bank.'
const BankRefInput = builder.inputType('BankRef', {
  description: 'Names a bank.',
  fields: (t) => ({ bankId: t.string({ required: true, description: bankIdField }) }),
})
const CreateBankInput = builder.inputType('CreateBankInput', {
  description: 'A bank to make.',
  fields: (t) => ({
    bankId: t.string({ required: true, description: 'The id it gets.' }),
    name: t.string({ description: 'A name for people.' }),
    config: t.field({ type: BankConfigInput, description: 'What it overrides.' }),
  }),
})
const UpdateBankInput = builder.inputType('UpdateBankInput', {
  description: 'Changes of a bank.',
  fields: (t) => ({
    bankId: t.string({ required: true, description: bankIdField }),
    name: t.string({ description: 'Its new name; null: none.' }),
  }),
})
const UpdateBankConfigInput = builder.inputType('UpdateBankConfigInput', {
  description: "Changes of a bank's configuration.",
  fields: (t) => ({
    bankId: t.string({ required: true, description: bankIdField }),
    config: t.field({ type: BankConfigInput, required: true, description: 'Keys to change.' }),
  }),
})

function bankSuccess(name: string) {
  return builder.objectRef<{ bank: Bank }>(name).implement({
    description: 'It is done.',
    fields: (t) => ({
      bank: t.field({ type: BankRef, description: 'The bank.', resolve: ({ bank }) => bank }),
    }),
  })
}

bankMutation('createBank', {
  description: 'Makes a bank. Other writes make theirs on first use.',
  input: CreateBankInput,
  success: bankSuccess('CreateBankSuccess'),
  errors: ['ConflictError'],
  resolve: async (input, { services }) => ({ bank: await services.banks.create(input) }),
})
bankMutation('updateBank', {
  description: 'Renames a bank.',
  input: UpdateBankInput,
  success: bankSuccess('UpdateBankSuccess'),
  errors: ['NotFoundError'],
  resolve: async (input, { services }) => ({ bank: await services.banks.rename(input) }),
})
bankMutation('updateBankConfig', {
  description: 'Changes only the keys given; makes the bank on first use.',
  input: UpdateBankConfigInput,
  success: bankSuccess('UpdateBankConfigSuccess'),
  resolve: async ({ bankId, config }, { services }) => ({
    bank: await services.banks.updateConfig({ bankId, config: { ...config } }),
  }),
})
bankMutation('resetBankConfig', {
  description: 'Drops every override.',
  input: BankRefInput,
  success: bankSuccess('ResetBankConfigSuccess'),
  errors: ['NotFoundError'],
  resolve: async (input, { services }) => ({ bank: await services.banks.resetConfig(input) }),
})
bankMutation('deleteBank', {
  description: 'Deletes a bank with everything in it, and ends its operations.',
  input: BankRefInput,
  success: builder.objectRef<{ bankId: string }>('DeleteBankSuccess').implement({
    description: 'It is gone.',
    fields: (t) => ({
      deletedId: t.id({
        description: 'Its global id, to evict.',
        resolve: ({ bankId }) => globalId('Bank', bankId),
      }),
      bankId: t.exposeString('bankId', { description: 'Its id.' }),
    }),
  }),
  errors: ['NotFoundError'],
  scope: 'ADMIN',
  resolve: async ({ bankId }, { services }) => {
    await services.banks.delete({ bankId })
    return { bankId }
  },
})
