/** A document with several security schemes, each with a secret of its own. */
import { createServer, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { replay, verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const secrets = { 'app-id': 'Tulip-7f3aC9-Garden', appKey: 'Sesame-41-Open', user: 'me:pass word' }
const text = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } } }
const responses = { ...text, 401: { description: 'no' } }
const contract = await loadContract({
  from: writeDocument(
    'a.json',
    documentWith(
      {
        '/both': { get: { operationId: 'both', security: [{ 'app-id': [], appKey: [] }], responses } },
        '/either': { get: { operationId: 'either', security: [{ other: [] }, { user: [] }], responses } },
        '/user': { get: { operationId: 'user', security: [{ user: [] }], responses } },
        '/token': { get: { operationId: 'token', security: [{ other: [] }], responses } },
      },
      {
        components: {
          securitySchemes: {
            'app-id': { type: 'apiKey', in: 'header', name: 'X-App' },
            appKey: { type: 'apiKey', in: 'query', name: 'key' },
            user: { type: 'http', scheme: 'basic' },
            other: { type: 'http', scheme: 'bearer' },
          },
        },
      },
    ),
  ),
})

const isRight = ({ url = '', headers, headersDistinct }: IncomingMessage): boolean => {
  const { pathname, searchParams } = new URL(url, 'http://a')
  const authorization = (headersDistinct.authorization ?? []).join()
  const [scheme = '', credentials] = authorization.split(/ +(.*)/)
  switch (pathname) {
    case '/both':
      return (
        (headersDistinct['x-app'] ?? []).join() === secrets['app-id'] &&
        searchParams.getAll('key').join() === secrets.appKey
      )
    case '/either':
    case '/user':
      return /^basic$/i.test(scheme) && credentials === btoa(secrets.user)
    case '/token':
      return /^bearer$/i.test(scheme) && credentials === 'right-token'
    default:
      return headers.host !== undefined
  }
}

const server = (answer = '"a"') =>
  listen(
    createServer((request, response) => {
      request.resume()
      const isKnown = /^\/(both|either|user|token)(\?|$)/.test(request.url ?? '')
      const status = !isKnown ? 404 : !isRight(request) ? 401 : request.method === 'GET' ? 200 : 405
      const challenge = status === 401 ? { 'WWW-Authenticate': 'Basic realm="a", Bearer realm="a"' } : {}
      response.writeHead(status, { 'Content-Type': 'application/json', Allow: 'GET', ...challenge })
      response.end(request.method === 'HEAD' ? '' : answer)
    }),
  )

test('each scheme has its own, and is tested with variants of it', async () => {
  const { url, close } = await server()
  try {
    const ledger = await verify({
      target: url,
      contract,
      token: 'right-token',
      secrets,
      seed: 1,
      cases: 2000,
    })
    expect(ledger.findings.filter(({ level }) => level === 'MUST')).toEqual([])
    const passed = ledger.entries
      .filter(({ verdict }) => verdict.kind === 'passed')
      .map(({ obligation }) => obligation.id)
    for (const operation of ['both', 'either', 'user', 'token'])
      expect(passed).toEqual(
        expect.arrayContaining([
          `${operation}/request/valid`,
          `${operation}/auth/absent`,
          `${operation}/auth/token-cut`,
        ]),
      )
    expect(ledger.start.policies.secrets).toBe('given for app-id, appKey, user')
  } finally {
    await close()
  }
})

test('a finding names the variables, holds no secret, and is replayed with them', async () => {
  const { url, close } = await server('7')
  try {
    const target = new URL(url)
    const ledger = await verify({ target, contract, secrets, only: ['both'], seed: 1, cases: 100 })
    const finding = ledger.findings.find(({ curl }) => curl.includes('/both?'))
    expect(finding?.curl).toContain('-H "X-App: $PLANTSTORE_SECRET_APP_ID"')
    expect(finding?.curl).toContain('/both?key=$PLANTSTORE_SECRET_APPKEY"')
    expect(JSON.stringify(ledger)).not.toMatch(/Tulip|Sesame|pass word/)
    const replayed = await replay({
      contract,
      ledger,
      id: finding?.id ?? '',
      target,
      token: null,
      secrets,
      seed: 1,
    })
    expect(replayed.outcome).toMatchObject({ kind: 'response', response: { status: 200 } })
  } finally {
    await close()
  }
})

test('one is renewed when it expires', async () => {
  let issued = 0
  let left = 0
  const { url, close } = await listen(
    createServer((request, response) => {
      request.resume()
      left -= 1
      const isIn = left >= 0 && request.headers.authorization === `Basic ${btoa(`me:${issued}`)}`
      response.writeHead(isIn ? 200 : 401, {
        'Content-Type': 'application/json',
        'WWW-Authenticate': 'Basic realm="a"',
      })
      response.end('"a"')
    }),
  )
  try {
    const user = (): string => {
      left = 10
      issued += 1
      return `me:${issued}`
    }
    const ledger = await verify({
      target: url,
      contract,
      secrets: { user },
      only: ['user/request'],
      seed: 1,
      cases: 100,
      concurrency: 1,
    })
    expect(issued).toBeGreaterThan(2)
    expect(ledger.findings).toEqual([])
  } finally {
    await close()
  }
})

test('nothing is said of a token if each scheme has a secret', async () => {
  const { url, close } = await server()
  try {
    const from = writeDocument(
      'b.json',
      documentWith(
        { '/user': { get: { operationId: 'user', security: [{ user: [] }], responses } } },
        { components: { securitySchemes: { user: { type: 'http', scheme: 'basic' } } } },
      ),
    )
    const { start } = await verify({
      target: url,
      contract: await loadContract({ from }),
      secrets: { user: secrets.user },
      seed: 1,
      cases: 20,
    })
    expect(start.policies).not.toHaveProperty('token')
    expect(start.policies.secrets).toBe('given for user')
  } finally {
    await close()
  }
})

test('a scheme that there is not is rejected before anything is sent', async () => {
  await expect(verify({ target: 'http://127.0.0.1:9', contract, secrets: { appId: 'a' } })).rejects.toThrow(
    'no operation asks for credentials of a security scheme appId: the document has app-id, appKey, other, user',
  )
})
