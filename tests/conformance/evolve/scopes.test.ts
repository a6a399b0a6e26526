/** Scopes that an operation asks for: what the tokens of old clients have, and what a new server wants. */
import { expect, test } from 'vitest'
import { evolve } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { writeDocument } from '../../spec/contracts.ts'
import { store } from './store.ts'

type Security = readonly Readonly<Record<string, readonly string[]>>[]

/** The store, whose plants are read with these credentials. `shared`: the requirement of the whole document. */
const documentWith = (own: Security | undefined, shared?: Security) => {
  const changed = store() as ReturnType<typeof store> & { security?: Security }
  const flows = {
    clientCredentials: { tokenUrl: 'https://a.test', scopes: { read: 'r', write: 'w', all: 'a' } },
  }
  Object.assign(changed.components.securitySchemes, { oauth: { type: 'oauth2', flows } })
  Object.assign(changed.paths['/plants/{id}']?.get ?? {}, own === undefined ? {} : { security: own })
  if (shared !== undefined) changed.security = shared
  return loadContract({ from: writeDocument('api.json', JSON.stringify(changed, null, 2)) })
}

const wants = (what: string) => [`breaking a token has to have ${what} now, which it did not need`]

test.each<[string, Security, Security, readonly string[]]>([
  ['one more', [{ oauth: ['read'] }], [{ oauth: ['read', 'all'] }], wants('the scope `all` of `oauth`')],
  ['another', [{ oauth: ['read'] }], [{ oauth: ['write'] }], wants('the scope `write` of `oauth`')],
  ['the first', [{ oauth: [] }], [{ oauth: ['read'] }], wants('the scope `read` of `oauth`')],
  ['one less', [{ oauth: ['read', 'all'] }], [{ oauth: ['read'] }], []],
  ['the same, in another order', [{ oauth: ['read', 'all'] }], [{ oauth: ['all', 'read'] }], []],
  ['an alternative', [{ oauth: ['read'] }], [{ oauth: ['write'] }, { oauth: ['read'] }], []],
  ['a way without any', [{ oauth: ['read'] }], [{ oauth: ['write'] }, {}], []],
  [
    'of one alternative',
    [{ oauth: ['read'] }, { key: [] }],
    [{ oauth: ['all'] }, { key: [] }],
    wants('the scope `all` of `oauth`'),
  ],
])('%s', async (_, before, after, expected) => {
  const { differences } = await evolve(await documentWith(before), await documentWith(after), {
    oldServers: null,
  })
  expect(differences.map(({ level, message }) => `${level} ${message}`)).toEqual(expected)
  for (const { operations, old, new: now } of differences) {
    expect(operations).toEqual(['GET /plants/{id}'])
    expect([old.place?.line, now.place?.line]).toEqual([expect.any(Number), expect.any(Number)])
  }
})

test('of the whole document, for all operations that have none of their own', async () => {
  const [before, after] = [[{ oauth: ['read'] }], [{ oauth: ['read', 'all'] }]]
  const { differences } = await evolve(await documentWith(before, before), await documentWith(before, after))
  expect(differences.map(({ level, message }) => `${level} ${message}`)).toEqual(
    wants('the scope `all` of `oauth`'),
  )
  expect(differences[0]?.operations).not.toContain('GET /plants/{id}')
  expect(differences[0]?.operations.length).toBeGreaterThan(0)
})
