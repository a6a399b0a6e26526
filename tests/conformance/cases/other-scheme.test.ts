/** A document that lets requests in by one scheme or another: made-up credentials of the other one are rejected as well, whatever they are. */
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { type Answer, type Asked, answering } from '../judge/answering.ts'

const object = { description: 'answered', content: { 'application/json': { schema: { type: 'object' } } } }
const schemes = {
  user: { type: 'http', scheme: 'bearer' },
  key: { type: 'apiKey', in: 'query', name: 'api_key' },
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  password: { type: 'http', scheme: 'basic' },
}
const documentOf = (alternatives: readonly object[]): string =>
  documentWith(
    { '/notes': { get: { operationId: 'getNotes', responses: { 200: object, 401: object } } } },
    { components: { securitySchemes: schemes }, security: alternatives },
  )

type Checks = (sent: {
  key: string | null
  sid: string | undefined
  header: string | undefined
  basic: string | undefined
}) => boolean | 'crash'

const run = async (alternatives: readonly object[], others: Checks) => {
  const answer = ({ method, headers, url }: Asked): Answer => {
    const authorization = headers.authorization ?? ''
    const isIn = /^[bB]earer +right-token$|^BEARER +right-token$/.test(authorization)
    const other = others({
      key: url.searchParams.get('api_key'),
      sid: /(?:^|; )sid=([^;]*)/.exec(headers.cookie ?? '')?.[1],
      header: headers['x-key'] as string | undefined,
      basic: /^basic +(.*)$/i.exec(authorization)?.[1],
    })
    const error = /^bearer /i.test(authorization) ? ', error="invalid_token"' : ''
    const challenge = `Bearer realm="a"${error}, Basic realm="a"`
    if (other === 'crash') return { status: 500, body: {} }
    if (!isIn && !other) return { status: 401, body: {}, headers: { 'WWW-Authenticate': challenge } }
    return method === 'GET' ? { status: 200, body: {} } : { status: 405, headers: { Allow: 'GET' } }
  }
  const contract = await loadContract({ from: writeDocument('a.json', documentOf(alternatives)) })
  const target = await answering(answer)
  const { findings } = await verify({ contract, target, token: 'right-token', seed: 1, sustained: 0 })
  return findings.map(({ title }) => title)
}

const all = [{ user: [] }, { key: [] }, { session: [] }, { header: [] }, { password: [] }]

test('a server that knows who has credentials of each scheme is lawful', async () => {
  expect(await run(all, () => false)).toEqual([])
})

const accepted = 'accepted a request with made-up credentials of another declared scheme'
const crashed = 'answered 500 to a request with made-up credentials of another declared scheme'
test.each<readonly [name: string, finding: string, others: Checks]>([
  ['any key is right', accepted, ({ key }) => key !== null],
  ['any session is right', accepted, ({ sid }) => sid !== undefined],
  ['any key in its header is right', accepted, ({ header }) => header !== undefined],
  ['any password is right', accepted, ({ basic }) => basic !== undefined],
  [
    'a key that is not hexadecimal is not caught',
    crashed,
    ({ key }) => (/^[\da-f]*$/.test(key ?? '') ? false : 'crash'),
  ],
  ['a long key is not caught', crashed, ({ header }) => ((header?.length ?? 0) > 1000 ? 'crash' : false)],
])('%s', async (_, finding, others) => {
  expect(await run(all, others)).toEqual([finding])
})

test('schemes that are needed together are tried together', async () => {
  const together = [{ user: [] }, { key: [], session: [] }]
  expect(await run(together, ({ key, sid }) => key !== null && sid !== undefined)).toEqual([accepted])
})

test('the mock rejects them', async () => {
  const contract = await loadContract({ from: writeDocument('a.json', documentOf(all)) })
  const mock = await createMock({ contract, tokens: ['right-token'] })
  onTestFinished(() => mock.close())
  const { end, findings } = await verify({
    contract,
    target: mock.url,
    token: 'right-token',
    seed: 1,
    sustained: 0,
  })
  expect(findings.map(({ title }) => title)).toEqual([])
  expect(end?.conclusion).toBe('conformant')
})
