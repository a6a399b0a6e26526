/** A server of many operations that fails at reading the credentials of one of several schemes. */
import { expect, test } from 'vitest'
import { verifyAnswering } from '../judge/answering.ts'

const names = Array.from({ length: 12 }, (_, index) => `plot-${index}`)
const document = {
  paths: Object.fromEntries(
    names.map(name => [
      `/${name}`,
      {
        get: {
          operationId: name,
          security: [{ bearer: [] }, { query: [] }, { cookie: [] }],
          responses: { 200: { description: 'ok' }, 401: { description: 'no' } },
        },
      },
    ]),
  ),
  rest: {
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        query: { type: 'apiKey', in: 'query', name: 'api_key' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      },
    },
  },
}

test.each(['query', 'cookie'])('one request of each operation shows it: %s', async scheme => {
  const { findings, entries } = await verifyAnswering(
    document,
    ({ method, url, headers }) => {
      const sent =
        scheme === 'query'
          ? (url.searchParams.get('api_key') ?? '')
          : decodeURIComponent(headers.cookie ?? '')
      if (/[^ -~]/.test(sent)) return { status: 500 }
      if (headers.authorization !== 'Bearer secret')
        return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }
      return { status: method === 'GET' ? 200 : 405 }
    },
    { token: 'secret', only: ['*/auth/other-scheme'], cases: names.length },
  )
  const failed = entries.filter(({ verdict }) => verdict.kind === 'failed')
  expect(failed.map(({ obligation }) => obligation.operation)).toEqual(names)
  expect(findings.length).toBeGreaterThan(0)
})
