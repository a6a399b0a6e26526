import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { lawfulParts } from '../../broken-servers/store/store.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'

test('findings come in the order of their weight, those that only warn last', async () => {
  const { findings } = await during(
    storeWith({
      // A SHOULD, a wrong rejection, an invalid request that is accepted, a crash, wrong data, no authentication, a wrong shape.
      name: value => lawfulParts.name(value) && value !== '',
      tag: value => lawfulParts.tag(value) || value === null,
      authenticate: exchange =>
        lawfulParts.authenticate(exchange) || exchange.request.headers.authorization === undefined,
      failure: () => ({ error: 'wrong', message: 'no' }),
      plant: ({ name, tag }) => ({ name: name === 'Ficus' ? name : name.toUpperCase(), tag }),
      respond: (response, { bytes }) =>
        /"id":-1[,}]/.test(bytes.toString())
          ? { ...response, status: 400, body: '{"error":1,"message":"no"}' }
          : response.cause === 'json'
            ? { ...response, status: 500 }
            : response,
    }),
    ({ url, token }) => verify({ target: url, token, seed: 1, sustained: 0 }),
  )
  const kindOf = (id: string, level: string): string => {
    if (level !== 'MUST') return 'warning'
    if (id.includes('/auth/')) return 'auth'
    if (id.includes('/response/400/body/')) return 'shape'
    if (id.includes('/json/')) return 'crash'
    return id.endsWith('/minus-one') ? 'rejected' : id.includes('/tag/') ? 'accepted' : id
  }
  const kinds = findings.map(({ obligation, level }) => kindOf(obligation, level))
  expect([...new Set(kinds)]).toEqual(['crash', 'auth', 'accepted', 'rejected', 'shape', 'warning'])
})
