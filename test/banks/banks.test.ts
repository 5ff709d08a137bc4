import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'

const app = useApp({ environment: { ENGRAM_DISPOSITION_EMPATHY: '5' } })

const CONFIG =
  'bank { bankId configOverrides config { retainChunkSize dispositionEmpathy recallBudgetMin } }'
const ERROR = '... on Error { code reason } ... on ValidationError { issues { path code } }'

function updateConfig(bankId: string, config: Record<string, unknown>) {
  return app.send(
    `mutation ($input: UpdateBankConfigInput!) { updateBankConfig(input: $input) { __typename ${ERROR} ... on UpdateBankConfigSuccess { ${CONFIG} } } }`,
    { input: { bankId, config } },
  )
}

describe('bank configuration', () => {
  it('keeps overrides apart from resolved values, over the defaults of the environment', async () => {
    const { data } = await updateConfig('config-1', { retainChunkSize: 500 })
    expect(data).toEqual({
      updateBankConfig: {
        __typename: 'UpdateBankConfigSuccess',
        bank: {
          bankId: 'config-1',
          configOverrides: { retainChunkSize: 500 },
          config: { retainChunkSize: 500, dispositionEmpathy: 5, recallBudgetMin: 20 },
        },
      },
    })
  })

  it('leaves absent keys alone, and null clears', async () => {
    await updateConfig('config-2', { retainChunkSize: 500, dispositionEmpathy: 1 })
    const { data } = await updateConfig('config-2', { retainChunkSize: null })
    expect(data).toMatchObject({
      updateBankConfig: {
        bank: {
          configOverrides: { dispositionEmpathy: 1 },
          config: { retainChunkSize: 3000, dispositionEmpathy: 1 },
        },
      },
    })
  })

  it('reports all problems at once, against each other too, and changes nothing', async () => {
    await updateConfig('config-3', { recallBudgetMax: 50 })
    const { data } = await updateConfig('config-3', {
      dispositionEmpathy: 9,
      retainChunkSize: 0,
      recallBudgetMin: 60,
      retainDefaultStrategy: 'missing',
    })
    expect(data).toEqual({
      updateBankConfig: {
        __typename: 'ValidationError',
        code: 'BAD_USER_INPUT',
        reason: null,
        issues: expect.arrayContaining([
          { path: ['config', 'dispositionEmpathy'], code: 'OUT_OF_RANGE' },
          { path: ['config', 'retainChunkSize'], code: 'OUT_OF_RANGE' },
          { path: ['config', 'retainDefaultStrategy'], code: 'INCONSISTENT' },
        ]),
      },
    })
    const after = await app.send('{ bank(bankId: "config-3") { configOverrides } }')
    expect(after.data).toEqual({ bank: { configOverrides: { recallBudgetMax: 50 } } })
  })

  it('refuses a minimum above the stored maximum', async () => {
    await updateConfig('config-4', { recallBudgetMax: 50 })
    const { data } = await updateConfig('config-4', { recallBudgetMin: 60 })
    expect(data).toMatchObject({
      updateBankConfig: { issues: [{ path: ['config', 'recallBudgetMin'], code: 'INCONSISTENT' }] },
    })
  })

  it.each([
    [{ knowledgePageDefaultTrigger: { refreshCron: '* * *' } }, 'INVALID_CRON'],
    [
      {
        knowledgePageDefaultTrigger: { refreshCron: '0 6 * * *', refreshAfterConsolidation: true },
      },
      'TRIGGER_CONFLICT',
    ],
    [{ knowledgePageDefaultTrigger: { refreshTimeZone: 'Mars/Olympus' } }, 'INVALID'],
    [{ retainStrategies: { fast: { unknownKey: 1 } } }, 'UNKNOWN_KEY'],
    [{ entityLabels: [{ key: 'mood', values: [] }] }, 'INVALID'],
    [{ retainExtractionMode: 'CUSTOM' }, 'INCONSISTENT'],
  ])('refuses %j with %s', async (config, code) => {
    const { data } = await updateConfig('config-5', config)
    expect(data).toMatchObject({
      updateBankConfig: { __typename: 'ValidationError', issues: [{ code }] },
    })
    expect((await app.send('{ bank(bankId: "config-5") { bankId } }')).data).toEqual({ bank: null })
  })

  it('resets', async () => {
    await updateConfig('config-6', { retainChunkSize: 500 })
    const { data } = await app.send(
      'mutation { resetBankConfig(input: { bankId: "config-6" }) { ... on ResetBankConfigSuccess { bank { configOverrides } } } }',
    )
    expect(data).toEqual({ resetBankConfig: { bank: { configOverrides: {} } } })
  })
})

describe('banks', () => {
  const create = (bankId: string) =>
    app.send(
      `mutation ($input: CreateBankInput!) { createBank(input: $input) { __typename ${ERROR} ... on CreateBankSuccess { bank { id } } } }`,
      { input: { bankId } },
    )

  it('has one bank an id, however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('only_one')))
    const names = answers.map(
      ({ data }) => (data as { createBank: { __typename: string } }).createBank.__typename,
    )
    expect(names.sort()).toEqual([
      'ConflictError',
      'ConflictError',
      'ConflictError',
      'ConflictError',
      'CreateBankSuccess',
    ])
    expect((await app.send('{ node(id: "Bank_only%5Fone") { __typename id } }')).data).toEqual({
      node: { __typename: 'Bank', id: 'Bank_only%5Fone' },
    })
  })

  it.each(['', ' ', 'a\u0000b', '\ud83d', ' x', 'x'.repeat(201), 'e\u0301'])(
    'refuses the id %j',
    async (bankId) => {
      const { data } = await create(bankId)
      expect(data).toMatchObject({
        createBank: { __typename: 'ValidationError', issues: [{ path: ['bankId'] }] },
      })
    },
  )

  it('never makes one by reading', async () => {
    const { data, errors } = await app.send(
      '{ bank(bankId: "unseen") { id } node(id: "Bank_unseen") { id } }',
    )
    expect({ data, errors }).toEqual({ data: { bank: null, node: null }, errors: [] })
    const list = await app.send('{ banks(search: "unseen") { totalCount } }')
    expect(list.data).toEqual({ banks: { totalCount: 0 } })
  })

  it('pages both ways without losing or repeating one', async () => {
    for (let i = 0; i < 7; i += 1) await create(`paged-${i}`)
    const seen: string[] = []
    let after: string | null = null
    for (;;) {
      const { data } = await app.send(
        'query ($after: String) { banks(first: 3, after: $after, search: "paged-") { edges { node { bankId } } pageInfo { hasNextPage endCursor } totalCount } }',
        { after },
      )
      const page = data?.banks as {
        edges: { node: { bankId: string } }[]
        pageInfo: { hasNextPage: boolean; endCursor: string }
        totalCount: number
      }
      expect(page.totalCount).toBe(7)
      seen.push(...page.edges.map(({ node }) => node.bankId))
      if (!page.pageInfo.hasNextPage) break
      after = page.pageInfo.endCursor
    }
    expect([...seen].sort()).toEqual(Array.from({ length: 7 }, (_, i) => `paged-${i}`))
    const { data } = await app.send(
      '{ banks(last: 7, search: "paged-") { edges { node { bankId } } } }',
    )
    expect(
      (data as { banks: { edges: { node: { bankId: string } }[] } }).banks.edges.map(
        ({ node }) => node.bankId,
      ),
    ).toEqual(seen)
  })

  it.each(['first: 0', 'first: 101', 'first: 1, last: 1', 'after: "nonsense"'])(
    'refuses banks(%s)',
    async (args) => {
      const { errors } = await app.send(`{ banks(${args}) { totalCount } }`)
      expect(errors[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        issues: [expect.anything()],
      })
    },
  )

  it('is gone with everything after deletion, and its id starts anew', async () => {
    await updateConfig('short-lived', { retainChunkSize: 500 })
    const remove =
      'mutation { deleteBank(input: { bankId: "short-lived" }) { __typename ... on DeleteBankSuccess { deletedId } } }'
    expect((await app.send(remove)).data).toEqual({
      deleteBank: { __typename: 'DeleteBankSuccess', deletedId: 'Bank_short-lived' },
    })
    expect((await app.send(remove)).data).toEqual({ deleteBank: { __typename: 'NotFoundError' } })
    await create('short-lived')
    expect((await app.send('{ bank(bankId: "short-lived") { configOverrides } }')).data).toEqual({
      bank: { configOverrides: {} },
    })
  })
})
