/** A wrong token, URL or gateway says nothing about the server: such a run accuses nobody, and says what to change. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import type { Ledger } from '../../../spec/index.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { listen } from '../../listen.ts'
import { contracts, documentWith, writeDocument } from '../../spec/contracts.ts'

const contract = contracts.plantStore

/** A server that answers every request with this status, and a page. */
const answering = async (
  status: number,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>No</h1>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const expectNoAccess = (ledger: Ledger, reason: string): void => {
  const { findings, exchanges, end, entries } = ledger
  expect({
    findings,
    exchanges,
    stopped: end?.stopped,
    conclusion: end?.conclusion,
    reason: end?.reason,
  }).toEqual({
    findings: [],
    exchanges: [],
    stopped: 'access',
    conclusion: 'inconclusive',
    reason,
  })
  for (const { verdict } of entries) expect(verdict).toEqual({ kind: 'untested', cause: 'access', reason })
}

test('a token that the server does not know', () =>
  during(storeWith({}), async ({ url }) =>
    expectNoAccess(
      await verify({ target: url, contract, token: 'not-the-secret', seed: 1 }),
      'the server answers as it does without credentials (400 error 1): is the token right?',
    ),
  ))

test('no token', () =>
  during(storeWith({}), async ({ url }) =>
    expectNoAccess(
      await verify({ target: url, contract, seed: 1 }),
      'no token was given, and the server rejects a made-up one (400 error 1): give the right one with --token or PLANTSTORE_TOKEN',
    ),
  ))

test('a base path that the server does not have', () =>
  during(storeWith({}), async ({ url, token }) =>
    expectNoAccess(
      await verify({ target: `${url}/api`, contract, token, seed: 1 }),
      `the server does not have the paths of the document at ${url}/api (GET /plants: 404), but at ${url}: try ${url}`,
    ),
  ))

test.each([
  [301, 'the server redirects every request (301): is the base URL right?'],
  [
    401,
    'the server rejects the token (401 text/html): check that it is valid, and has the permissions for this operation',
  ],
  [405, 'the server does not find the operation (405 text/html): is the base URL right?'],
  [502, 'a gateway answers that no server is behind it (502 text/html): is the server running?'],
])('a server that answers everything with %d', (status, reason) =>
  during(answering(status), async ({ url }) =>
    expectNoAccess(await verify({ target: url, contract, token: 'a-token', seed: 1 }), reason),
  ),
)

test('a server that answers everything with 500 fails: neither token nor URL explains that', () =>
  during(answering(500), async ({ url }) => {
    const { findings, end } = await verify({ target: url, contract, token: 'a-token', seed: 1 })
    expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([
      ['createPlant/request/valid', 'answered 500 to each valid request'],
    ])
    expect(end?.conclusion).toBe('nonconformant')
  }))

test('operations that need no token are tested without one; the others are not, and the run is partial', async () => {
  const library = contracts.library
  const mock = await createMock({ contract: library, tokens: ['right-token'] })
  try {
    const { entries, findings, end } = await verify({
      target: mock.url,
      contract: library,
      seed: 1,
      cases: 300,
    })
    expect(findings).toEqual([])
    expect(end).toMatchObject({ stopped: 'done', conclusion: 'partial' })
    const closed = entries.filter(({ verdict }) => verdict.kind === 'untested' && verdict.cause === 'access')
    const tested = entries.filter(({ verdict }) => verdict.kind === 'passed')
    const operations = (of: typeof entries) => [...new Set(of.map(({ obligation }) => obligation.operation))]
    expect(operations(closed).length).toBeGreaterThan(0)
    expect(operations(tested).length).toBeGreaterThan(0)
    expect(operations(closed).filter(id => operations(tested).includes(id))).toEqual([])
  } finally {
    await mock.close()
  }
})

/** A document whose operations take the key of a header. */
const keyed = (paths: object): string =>
  documentWith(paths, {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  })

const declaring = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map(status => [status, { description: 'declared' }]))

/** A server that answers by path and key. */
const serving = (answer: (path: string, key: string | undefined) => number) => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(answer(request.url ?? '', request.headers['x-key'] as string | undefined)).end()
  })
  return listen(server)
}

const toFill = (...statuses: readonly number[]) => ({
  '/health': { get: { operationId: 'health', responses: declaring(200, 401) } },
  '/boxes': {
    post: {
      operationId: 'fill',
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object', properties: { n: { type: 'integer' } } } },
        },
      },
      responses: declaring(200, ...statuses),
    },
  },
})

test.each([
  ['no token, 422', {}, [401, 422], 422, () => true],
  ['no token, 400', {}, [401, 400, 422], 400, () => true],
  // It may be the one for missing credentials, but another operation takes a made-up key.
  ['no token, 400 alone', {}, [400], 400, () => true],
  ['a right token, 422', { token: 'right' }, [401, 422], 422, (key?: string) => key === 'right'],
  // The document has 400 for missing credentials as well, but another operation takes the token.
  ['a right token, 400', { token: 'right' }, [400], 400, (key?: string) => key === 'right'],
] as const)(
  'a rejection that comes without credentials as well is not blamed on the token: %s',
  async (_name, given, declared, status, isRight) => {
    const { url, close } = await serving((path, key) =>
      path === '/health' ? (isRight(key) ? 200 : 401) : status,
    )
    try {
      const contract = writeDocument('keyed.json', keyed(toFill(...declared)))
      const { findings, entries } = await verify({
        target: url,
        contract,
        seed: 1,
        cases: 100,
        sustained: 0,
        ...given,
      })
      expect(findings.map(({ obligation, title }) => `${obligation} ${title}`).join()).toContain(
        'fill/request/valid accepted no valid request',
      )
      for (const { verdict } of entries)
        if ('reason' in verdict)
          expect(verdict.reason).not.toMatch(/made-up|is the token right|rejects the token/)
    } finally {
      await close()
    }
  },
)

test.each([
  ['it makes a difference', [401, 422], (key?: string) => (key === undefined ? 401 : 422)],
  ['it may be the one for credentials', [400], () => 400],
  ['no failure is declared', [], () => 400],
])('without a token, a rejection says nothing if %s', async (_name, declared, answer) => {
  const { url, close } = await serving((_path, key) => answer(key))
  try {
    const contract = writeDocument('keyed.json', keyed({ '/boxes': toFill(...declared)['/boxes'] }))
    const { findings, end } = await verify({ target: url, contract, seed: 1, cases: 100, sustained: 0 })
    expect(findings).toEqual([])
    expect(end).toMatchObject({ stopped: 'access', reason: expect.stringContaining('no token was given') })
  } finally {
    await close()
  }
})

const ok = { responses: declaring(200, 422) }

test.each<readonly [string, object]>([
  ['enum', { type: 'string', enum: ['day', 'time'] }],
  ['const', { const: 'day' }],
  ['pattern', { type: 'string', pattern: '^[a-z]{3}$' }],
  ['integer with bounds', { type: 'integer', minimum: 1, maximum: 3 }],
  ['boolean', { type: 'boolean' }],
  ['date', { type: 'string', format: 'date' }],
  ['uuid', { type: 'string', format: 'uuid' }],
])('a 404 for a value in a path does not show that the base URL is right: %s', async (_name, schema) => {
  const what = { name: 'what', in: 'path', required: true, schema }
  const below = { '/count-by/{what}': { post: { operationId: 'countBy', parameters: [what], ...ok } } }
  const other = { '/sum/{what}/all': { get: { operationId: 'sum', parameters: [what], ...ok } } }
  const health = { '/health': { get: { operationId: 'health', ...ok } } }
  const server = await answering(404)
  try {
    for (const paths of [
      { ...health, ...below },
      { ...below, ...other, ...health },
    ]) {
      const contract = writeDocument('base.json', documentWith(paths))
      const { end, findings, entries } = await verify({ target: server.url, contract, seed: 1 })
      expect(findings).toEqual([])
      expect(end).toMatchObject({ conclusion: 'inconclusive' })
      for (const { verdict } of entries) expect(verdict.kind).toBe('untested')
      expect(end?.reason).toContain('is the base URL right?')
    }
  } finally {
    await server.close()
  }
})

test('nor do several of them, if nothing else is declared', async () => {
  const what = { name: 'what', in: 'path', required: true, schema: { enum: ['day', 'time'] } }
  const document = documentWith({
    '/count-by/{what}': { post: { operationId: 'countBy', parameters: [what], ...ok } },
    '/sum/{what}/all': { get: { operationId: 'sum', parameters: [what], ...ok } },
  })
  const server = await answering(404)
  try {
    const { end, findings } = await verify({
      target: server.url,
      contract: writeDocument('b.json', document),
      seed: 1,
    })
    expect([findings, end?.conclusion]).toEqual([[], 'inconclusive'])
    expect(end?.reason).toContain('is the base URL right?')
  } finally {
    await server.close()
  }
})

test('what crashes before it asks for credentials is found without them; the rest stays untested', async () => {
  let asked = 0
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const isOpen = request.url?.startsWith('/health') === true
    asked += isOpen ? 0 : 1
    let isJson = true
    try {
      JSON.parse(body)
    } catch {
      isJson = false
    }
    const status = isOpen ? 200 : isJson || body === '' ? 401 : 500
    response.writeHead(status).end()
  })
  const { url, close } = await listen(server)
  try {
    const { '/boxes': boxes, '/health': health } = toFill(401, 422)
    const open = { get: { ...health.get, security: [] } }
    const contract = writeDocument('keyed.json', keyed({ '/health': open, '/boxes': boxes }))
    const { findings, entries } = await verify({ target: url, contract, seed: 1, cases: 4000, sustained: 0 })
    expect(findings.map(({ title }) => title)).toEqual([
      expect.stringMatching(/^answered 500 to malformed JSON/),
    ])
    const ofBoxes = entries.filter(({ obligation }) => obligation.operation === 'fill')
    expect([...new Set(ofBoxes.map(({ verdict }) => verdict.kind))].toSorted()).toEqual([
      'failed',
      'untested',
    ])
    // What says nothing again and again is not asked any more.
    expect(asked).toBeLessThan(400)
  } finally {
    await close()
  }
})

test('a server that was set up without credentials, and rejects made-up ones, is tested without', async () => {
  const server = createServer(async (request, response) => {
    const key = request.headers['x-key'] as string | undefined
    const body = Buffer.concat(await request.toArray()).toString()
    let isValid = request.url === '/health' && request.method === 'GET'
    try {
      const value = JSON.parse(body)
      isValid ||= request.url === '/boxes' && typeof value === 'object' && Object.hasOwn(value, 'n')
    } catch {}
    const challenge = { 'WWW-Authenticate': 'Key' }
    if (key !== undefined) response.writeHead(401, challenge).end()
    else response.writeHead(isValid ? 200 : 422).end()
  })
  const { url, close } = await listen(server)
  try {
    const contract = writeDocument('open.json', keyed(toFill(401, 422)))
    const { entries, findings, start, end } = await verify({ contract, target: url, seed: 1, sustained: 0 })
    const passed = entries.flatMap(({ obligation, verdict }) =>
      verdict.kind === 'passed' ? [obligation.id] : [],
    )
    expect(passed).toEqual(expect.arrayContaining(['health/request/valid']))
    // It accepts some bodies, but not those without `n`.
    expect(findings.map(({ obligation }) => obligation)).toEqual(
      expect.arrayContaining(['health/auth/absent', 'fill/auth/absent']),
    )
    expect(findings.flatMap(({ request }) => request.headers).map(([name]) => name)).not.toContain('X-Key')
    expect(start.policies.token).toMatch(/^left out: none was given/)
    expect(end?.stopped).toBe('done')
  } finally {
    await close()
  }
})

test('a made-up token that is rejected need not be accepted in another spelling', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const server = createServer((request, response) => {
    request.resume()
    const challenge = { 'WWW-Authenticate': 'Bearer' }
    const known = ['health', ...names].map(name => `/${name}`)
    if (request.headers.authorization !== undefined) response.writeHead(401, challenge).end()
    else
      response
        .writeHead(!known.includes(request.url ?? '') ? 404 : request.method === 'GET' ? 200 : 405)
        .end()
  })
  const { url, close } = await listen(server)
  try {
    const get = (operationId: string): object => ({ get: { operationId, responses: declaring(200, 401) } })
    const document = documentWith(
      {
        // It is asked first, and asks for nothing.
        '/health': { get: { operationId: 'health', security: [], responses: declaring(200) } },
        ...Object.fromEntries(names.map(name => [`/${name}`, get(name)])),
      },
      {
        security: [{ token: [] }],
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      },
    )
    const contract = writeDocument('bearer.json', document)
    const { entries, findings } = await verify({ contract, target: url, seed: 1, cases: 2000, sustained: 0 })
    const verdictOf = (id: string) => entries.find(({ obligation }) => obligation.id === id)?.verdict
    for (const name of names) {
      expect(verdictOf(`${name}/request/valid`)?.kind).toBe('passed')
      expect(verdictOf(`${name}/auth/lower-case-scheme`)).toEqual({
        kind: 'untested',
        cause: 'access',
        reason: 'no token was given (--token), and the server rejects a made-up one',
      })
    }
    // What it accepts has no credentials in their place; that is its fault.
    expect(findings.filter(({ expectation }) => expectation === 'accept')).toEqual([])
    expect(findings.map(({ obligation }) => obligation)).toContain('a/auth/absent')
  } finally {
    await close()
  }
})
