import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'

const SECRET = 'a-secret-of-thirty-characters-x'
const app = useApp({
  keys: [
    { name: 'reader', secret: SECRET, scopes: ['READ'], bankIds: ['own'] },
    { name: 'admin', secret: `${SECRET}-admin`, scopes: ['ADMIN'], bankIds: null },
  ],
})
const create = 'mutation ($b: String!) { createBank(input: { bankId: $b }) { __typename } }'
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

describe('authentication', () => {
  it('refuses a request without a valid key', async () => {
    for (const headers of [{}, bearer('wrong')]) {
      const { status, errors } = await app.send('{ banks { totalCount } }', {}, headers)
      expect({ status, code: errors[0]?.extensions.code }).toEqual({
        status: 401,
        code: 'UNAUTHENTICATED',
      })
    }
  })

  it('refuses a socket without a valid key', async () => {
    const stream = app.subscribe(
      'subscription { operationEvents { __typename } }',
      {},
      bearer('wrong'),
    )
    await expect(stream.next()).rejects.toMatchObject({ code: 4403 })
  })

  it('keeps a key to its scopes and banks, and answers alike for absent and not yours', async () => {
    await app.send(create, { b: 'own' }, bearer(`${SECRET}-admin`))
    await app.send(create, { b: 'other' }, bearer(`${SECRET}-admin`))
    expect((await app.send(create, { b: 'own' }, bearer(SECRET))).data).toEqual({
      createBank: { __typename: 'ForbiddenError' },
    })
    const { data } = await app.send(
      '{ own: bank(bankId: "own") { bankId } other: bank(bankId: "other") { bankId } absent: bank(bankId: "absent") { bankId } banks { totalCount } }',
      {},
      bearer(SECRET),
    )
    expect(data).toEqual({
      own: { bankId: 'own' },
      other: null,
      absent: null,
      banks: { totalCount: 1 },
    })
  })

  it('opens a stream over a real socket, and none for a bank that is not yours', async () => {
    const query = 'subscription ($b: String) { operationEvents(bankId: $b) { __typename } }'
    const own = app.subscribe(query, { b: 'own' }, bearer(SECRET))
    expect((await own.next()).value).toMatchObject({
      data: { operationEvents: { __typename: 'StreamOpened' } },
    })
    await own.return?.()
    const other = app.subscribe(query, { b: 'other' }, bearer(SECRET))
    expect((await other.next()).value).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    })
  })
})
