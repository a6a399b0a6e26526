/** Credentials that the document does not declare, or declares in the wrong form. */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  mergeShards,
  planSlices,
  readEvidence,
  replay,
  verify,
  verifyShard,
} from '../../../conformance/index.ts'
import { type Contract, loadContract } from '../../../spec/index.ts'
import { type Listening, listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const text = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } } }
const query = { name: 'q', in: 'query', schema: { type: 'string' } }
const paths = (operation: object = {}) => ({
  '/a': {
    get: { operationId: 'getA', parameters: [query], responses: text, ...operation },
    put: {
      operationId: 'putA',
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      responses: { ...text, 400: { description: 'no' } },
      ...operation,
    },
  },
})
const contractOf = (rest: object = {}, operation: object = {}): Promise<Contract> =>
  loadContract({ from: writeDocument('a.json', documentWith(paths(operation), rest)) })

const isRight = (request: IncomingMessage, secret: string): boolean =>
  (request.headersDistinct.authorization ?? []).join() === secret

const hasSome = ({ headers, url = '' }: IncomingMessage): boolean =>
  ['authorization', 'x-api-key', 'cookie'].some(name => headers[name] !== undefined) || /[?&]token=/.test(url)

type Guarded = Listening & {
  /** Requests that were not let in with what they had. */
  readonly refused: () => number
  /** Requests without any credentials. */
  readonly bare: () => number
}

/** Answers as the document says to whoever is let in, and 401 or 403 to others. */
const guarded = async (letsIn: (request: IncomingMessage) => boolean, answer = '"a"'): Promise<Guarded> => {
  let [refused, bare] = [0, 0]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const isIn = letsIn(request)
      if (!isIn && hasSome(request)) refused += 1
      else if (!isIn) bare += 1
      const isBody = /^\s*\{/.test(Buffer.concat(chunks).toString()) && isJson(Buffer.concat(chunks))
      const status = !isIn
        ? (refused + bare) % 2 === 0
          ? 401
          : 403
        : request.url?.split('?')[0] !== '/a'
          ? 404
          : request.method === 'GET'
            ? 200
            : request.method !== 'PUT'
              ? 405
              : isBody && /^application\/json/.test(request.headers['content-type'] ?? '')
                ? 200
                : 400
      response.writeHead(status, { 'Content-Type': 'application/json', Allow: 'GET, PUT' })
      response.end(request.method === 'HEAD' ? '' : answer)
    })
  })
  return { ...(await listen(server)), refused: () => refused, bare: () => bare }
}

const isJson = (bytes: Buffer): boolean => {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}

const secret = 'Tulip-7f3aC9-Garden'
/** What is told of a server that asks for credentials which its document does not declare. */
const undeclared = ['getA/auth/undeclared']
const told = ({ findings }: { readonly findings: readonly { readonly obligation: string }[] }) =>
  findings.map(({ obligation }) => obligation)

describe('a document that declares none', () => {
  test('a server that lets in without them as well is not accused', async () => {
    const contract = await contractOf()
    const server = await guarded(request => !hasSome(request) || isRight(request, `Bearer ${secret}`))
    try {
      const ledger = await verify({ target: server.url, contract, token: secret, seed: 1, cases: 200 })
      expect(told(ledger)).toEqual([])
      const kinds = ledger.entries.filter(({ obligation }) => undeclared.includes(obligation.id))
      expect(kinds.map(({ verdict }) => verdict.kind)).toEqual(['passed'])
    } finally {
      await server.close()
    }
  })

  test('every request has the token, and the record says so; that the server asks for it is a warning', async () => {
    const contract = await contractOf()
    const server = await guarded(request => isRight(request, `Bearer ${secret}`))
    try {
      const ledger = await verify({
        target: server.url,
        contract,
        token: secret,
        seed: 1,
        cases: 300,
        malformedHttp: true,
        only: ['getA', 'putA'],
      })
      expect(server.refused()).toBe(0)
      const findings = ledger.findings.filter(({ obligation }) => !obligation.includes('/protocol/'))
      expect(told({ findings })).toEqual(undeclared)
      expect(findings[0]?.level).toBe('SHOULD')
      expect(findings[0]?.title).toMatch(/^answered 40[13] to a request without the undeclared credentials$/)
      expect(findings[0]?.hint).toContain('Declare the credentials in the document')
      expect(server.bare()).toBeGreaterThan(0)
      expect(ledger.start.policies).toMatchObject({ token: 'given', auth: 'bearer' })
      expect(ledger.notes.map(({ message }) => message)).toContain(
        'the document asks for no credentials, so the token is sent with every request as Authorization: Bearer …',
      )
      const ofAuth = ledger.entries.filter(({ obligation }) => obligation.family === 'auth')
      expect(ofAuth.map(({ obligation }) => obligation.id)).toEqual([...undeclared, 'putA/auth/undeclared'])
      expect(JSON.stringify(ledger)).not.toContain(secret)
    } finally {
      await server.close()
    }
  })

  test('a finding has it in its command, and is replayed with it', async () => {
    const contract = await contractOf()
    const server = await guarded(request => isRight(request, `Token ${secret}`), '7')
    try {
      const auth = 'Authorization: Token {}'
      const target = new URL(server.url)
      const ledger = await verify({ target, contract, token: secret, auth, seed: 1, cases: 100 })
      const finding = ledger.findings.find(({ level }) => level === 'MUST')
      expect(finding?.title).toMatch(/body|string/)
      expect(finding?.curl).toContain('-H "Authorization: Token $PLANTSTORE_TOKEN"')
      const replayed = await replay({
        contract,
        ledger,
        id: finding?.id ?? '',
        target,
        token: secret,
        seed: 1,
      })
      expect(replayed.outcome).toMatchObject({ kind: 'response', response: { status: 200 } })
      expect(server.refused()).toBe(0)
    } finally {
      await server.close()
    }
  })

  test.each<readonly [auth: string, token: string, letsIn: (request: IncomingMessage) => boolean]>([
    ['bearer', secret, request => isRight(request, `Bearer ${secret}`)],
    ['basic', 'me:it is', request => isRight(request, `Basic ${btoa('me:it is')}`)],
    ['header:X-Api-Key', secret, ({ headers }) => headers['x-api-key'] === secret],
    ['query:token', secret, ({ url = '' }) => new URL(url, 'http://a').searchParams.get('token') === secret],
    [
      'cookie:sid',
      secret,
      ({ headers }) => new RegExp(`(^|; )sid=${secret}(;|$)`).test(headers.cookie ?? ''),
    ],
    ['Authorization: GenieKey {}', secret, request => isRight(request, `GenieKey ${secret}`)],
    ['Authorization: {}', `Token ${secret}`, request => isRight(request, `Token ${secret}`)],
  ])('in the form %s', async (auth, token, letsIn) => {
    const contract = await contractOf()
    const server = await guarded(letsIn)
    try {
      const ledger = await verify({ target: server.url, contract, token, auth, seed: 1, cases: 200 })
      expect(server.refused()).toBe(0)
      expect(told(ledger)).toEqual(undeclared)
      expect(ledger.start.policies.auth).toBe(auth)
    } finally {
      await server.close()
    }
  })

  test('shards send it too, and are merged', async () => {
    const contract = await contractOf()
    const server = await guarded(request => isRight(request, `Bearer ${secret}`))
    try {
      const options = { target: server.url, contract, token: secret, seed: 1 }
      const slices = planSlices(contract, options).map(({ name }) => name)
      const shard = await verifyShard({ ...options, slices })
      const { ledger, missing } = mergeShards(contract, [readEvidence(shard, contract)])
      expect(server.refused()).toBe(0)
      expect(missing).toEqual([])
      expect(told(ledger)).toEqual(undeclared)
      expect(ledger.entries.some(({ verdict }) => verdict.kind === 'passed')).toBe(true)
    } finally {
      await server.close()
    }
  })

  test('a token that expires is renewed', async () => {
    const contract = await contractOf()
    const issued: string[] = []
    let left = 0
    const server = await guarded(request => {
      left -= 1
      return left >= 0 && isRight(request, `Bearer ${issued.at(-1)}`)
    })
    try {
      const token = (): string => {
        left = 30
        return issued[issued.push(`${secret}-${issued.length}`) - 1] as string
      }
      const ledger = await verify({
        target: server.url,
        contract,
        token,
        seed: 1,
        cases: 100,
        concurrency: 1,
      })
      expect(issued.length).toBeGreaterThan(2)
      expect(told(ledger)).toEqual(undeclared)
    } finally {
      await server.close()
    }
  })
})

describe('a declared scheme that is wrong', () => {
  const declared = {
    security: [{ tok: [] }],
    components: { securitySchemes: { tok: { type: 'http', scheme: 'bearer' } } },
  }

  test('is tested in the form that is said', async () => {
    const contract = await contractOf(declared)
    const server = await guarded(({ headers }) => headers['x-auth'] === `key ${secret}`)
    try {
      const options = { target: server.url, contract, token: secret, seed: 1, cases: 300 }
      const ledger = await verify({ ...options, auth: 'X-Auth: key {}' })
      expect(ledger.findings).toEqual([])
      const tested = ledger.entries.filter(
        ({ obligation, verdict }) => obligation.family === 'auth' && verdict.kind === 'passed',
      )
      expect(tested.map(({ obligation }) => obligation.id)).toContain('getA/auth/wrong-token')
      expect(ledger.notes.map(({ message }) => message)).toContain(
        'the token is sent with every request as X-Auth: key … (--auth), whatever the document declares',
      )
      const without = await verify(options)
      expect(without.end?.stopped).toBe('access')
    } finally {
      await server.close()
    }
  })

  test.each([
    [
      'a bearer token with a space',
      declared,
      'Token abc',
      undefined,
      /the token has a space, which no bearer token has/,
    ],
    [
      'a bearer token with a space where none is declared',
      {},
      'Token abc',
      undefined,
      /the token has a space/,
    ],
    ['Basic credentials without a colon', {}, 'abc', 'basic', /it must be user:password/],
    [
      'a form that there is not',
      {},
      'abc',
      'digest',
      /the token cannot be sent as digest: give bearer, basic/,
    ],
  ])('%s is rejected before anything is sent', async (_, rest, token, auth, message) => {
    const contract = await contractOf(rest)
    await expect(verify({ target: 'http://127.0.0.1:9', contract, token, auth })).rejects.toThrow(message)
  })

  test('an extra header in the place of the token is rejected', async () => {
    const contract = await contractOf()
    const headers = [['authorization', 'Bearer x']] as const
    await expect(verify({ target: 'http://127.0.0.1:9', contract, token: 'abc', headers })).rejects.toThrow(
      'the token is sent as authorization as well, since the document asks for no credentials: leave out the token or the extra header',
    )
  })
})

describe('a server that keeps requests out, while the document asks for no credentials', () => {
  const responses = { 200: { description: 'ok' } }
  const many = documentWith(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `/${index}`,
        { get: { operationId: `get${index}`, responses }, post: { operationId: `post${index}`, responses } },
      ]),
    ),
  )
  const run = async (
    answer: RequestListener,
    options: { readonly token?: string; readonly auth?: string } = {},
  ) => {
    const contract = await loadContract({ from: writeDocument('many.json', many) })
    const server = await listen(createServer(answer))
    try {
      const { end, findings } = await verify({ target: server.url, contract, seed: 1, ...options })
      return { end, findings }
    } finally {
      await server.close()
    }
  }
  const answering =
    (
      status: number,
      headers: OutgoingHttpHeaders = {},
      isOpen = (_: string): boolean => false,
    ): RequestListener =>
    ({ url = '' }, response) =>
      response.writeHead(isOpen(url) ? 200 : status, headers).end()
  const without = 'and the document asks for none: give the right token with --token or PLANTSTORE_TOKEN'

  test.each<readonly [string, RequestListener, object, string]>([
    [
      '401',
      answering(401),
      {},
      `the server keeps out requests without credentials (401 no body), ${without}`,
    ],
    [
      '401 with a challenge of its own',
      answering(401, { 'WWW-Authenticate': 'Token realm="a"' }),
      {},
      `the server keeps out requests without credentials (401 no body), ${without}, and --auth 'Authorization: Token {}'`,
    ],
    [
      '401 with a challenge for Basic',
      answering(401, { 'WWW-Authenticate': 'Basic realm="a"' }),
      { token: 'abc' },
      'the server keeps out requests with the token as Authorization: Bearer … (401 no body): is it right, or does it have to be sent in another form, with --auth basic?',
    ],
    [
      '403 for a token',
      answering(403),
      { token: 'abc', auth: 'header:X-Key' },
      "the server refuses this to the token as X-Key: … (403 no body): check its permissions, or send it in another form, with --auth, such as 'Authorization: Token {}'",
    ],
    [
      'a redirect to a login',
      answering(302, { Location: '/login?next=%2F' }),
      {},
      `the server keeps out requests without credentials (302 to /login), ${without}`,
    ],
    [
      '403, but to a few',
      answering(403, {}, url => ['/0', '/1', '/2'].includes(url)),
      {},
      `in 74 of 80 operations the server keeps out requests without credentials (403 no body), ${without}`,
    ],
    [
      '401, and 400 to what it rejects before it looks at credentials',
      ({ url = '' }, response) => response.writeHead(Number(url.slice(1)) > 37 ? 401 : 400).end(),
      {},
      `in 4 of 80 operations the server keeps out requests without credentials (401 no body), ${without}`,
    ],
  ])('%s: nobody is accused, after a few requests', async (_, answer, options, reason) => {
    const { end, findings } = await run(answer, options)
    expect(findings).toEqual([])
    expect(end).toMatchObject({ stopped: 'access', conclusion: 'inconclusive', reason })
    expect(end?.requests).toBeLessThan(300)
  })

  test('only in a few operations: these are untested, and the others are tested', async () => {
    const { end, findings } = await run(answering(403, {}, url => url.length === 3))
    expect(findings.map(({ title }) => title).join()).not.toContain('accepted no valid request')
    expect(end).toMatchObject({ stopped: 'done' })
  })
})
