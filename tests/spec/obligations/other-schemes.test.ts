/** Credentials under a scheme that another security requirement of the operation has may be right. */
import { expect, test } from 'vitest'
import { loadContract, obligationsOf } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic' },
  login: { type: 'openIdConnect', openIdConnectUrl: 'https://login.example.test' },
}

const wrongSchemes = async (security: readonly object[]): Promise<readonly string[]> => {
  const contract = await loadContract({
    from: writeDocument(
      'schemes.json',
      documentWith(
        {
          '/plants': {
            get: {
              operationId: 'list',
              security,
              responses: { 200: { description: 'ok' }, 401: { description: 'no' } },
            },
          },
        },
        { components: { securitySchemes } },
      ),
    ),
  })
  return obligationsOf(contract, 'declared').flatMap(({ id }) => (/auth\/wrong-scheme/.test(id) ? [id] : []))
}

test('a request with Basic credentials under Bearer is rejected if the operation takes Basic alone', async () => {
  expect(await wrongSchemes([{ basic: [] }])).toContain('list/auth/wrong-scheme')
})

test.each([
  ['Basic, tested', [{ basic: [] }, { login: [] }]],
  ['tokens, tested', [{ login: [] }, { basic: [] }]],
])('nothing is required of it if it takes both: %s', async (_name, security) => {
  const ids = await wrongSchemes(security)
  expect(ids).not.toContain('list/auth/wrong-scheme')
  // Digest is wrong in any case.
  expect(ids).toContain('list/auth/wrong-scheme-digest')
})
