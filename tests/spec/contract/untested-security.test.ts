import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const responses = { 200: { description: 'ok' }, 401: { description: 'no' } }
const get = (...security: readonly object[]) => ({ get: { security, responses } })

test('schemes that requests do not use, and scopes, are named as not tested', async () => {
  const from = writeDocument(
    'api.json',
    documentWith(
      {
        '/certificate': get({ certificate: [] }),
        '/digest': get({ digest: [] }),
        '/either': get({ bearer: [] }, { key: [] }),
        '/also': get({ bearer: [] }, { key: [] }),
        '/both': get({ bearer: [], key: [] }),
        '/open': get({}, { digest: [] }),
        '/scoped': get({ oauth: ['read'] }),
      },
      {
        components: {
          securitySchemes: {
            certificate: { type: 'mutualTLS' },
            digest: { type: 'http', scheme: 'digest' },
            bearer: { type: 'http', scheme: 'bearer' },
            key: { type: 'apiKey', in: 'header', name: 'X-Key' },
            oauth: {
              type: 'oauth2',
              flows: { clientCredentials: { tokenUrl: 'https://a.test/t', scopes: { read: 'r' } } },
            },
          },
        },
      },
    ),
  )
  const { notTested } = await loadContract({ from })
  expect(notTested.map(({ message }) => message)).toEqual([
    'the security scheme "certificate" (mutualTLS) is not supported: requests are sent without it',
    'the security scheme "digest" (http digest) is not tested: requests are sent with the token as its credentials',
    'the security scheme "key" is only tested with made-up credentials, as "bearer" will do (2 operations)',
    'the scopes of "oauth" are not tested',
  ])
})
