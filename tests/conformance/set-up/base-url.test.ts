/** A run against another URL than that of the API accuses nobody, and says where the API is if a GET can tell. */
import { createServer, type RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const text = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } } }
const body = { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
const post = { operationId: 'make', requestBody: body, responses: text }
const paths = {
  '/health': { get: { operationId: 'health', responses: text } },
  '/things': { get: { operationId: 'list', responses: text }, post },
  '/count-by/{what}': {
    post: {
      operationId: 'count',
      parameters: [
        { in: 'path', name: 'what', required: true, schema: { type: 'string', enum: ['day', 'time'] } },
      ],
      responses: text,
    },
  },
}

type Seen = { readonly method: string; readonly url: string; readonly authorization: string | undefined }

/** Runs against a server that answers by path, at its root or another base. */
const run = async (
  answer: (path: string, method: string) => readonly [status: number, type: string, body: string],
  {
    base = '',
    document = documentWith(paths),
    ...options
  }: Partial<VerifyOptions> & {
    readonly base?: string
    readonly document?: string
  } = {},
) => {
  const seen: Seen[] = []
  const listener: RequestListener = (request, response) => {
    const { method = '', url = '', headers } = request
    seen.push({ method, url, authorization: headers.authorization })
    const [status, type, content] = answer(url.split('?')[0] ?? '', method)
    request.resume()
    response.writeHead(status, { 'Content-Type': type }).end(content)
  }
  const server = await listen(createServer(listener))
  try {
    const contract = await loadContract({ from: writeDocument('a.json', document) })
    const { findings, end } = await verify({
      contract,
      target: server.url + base,
      seed: 1,
      cases: 100,
      ...options,
    })
    const reason = end?.reason?.replaceAll(server.url, 'URL') ?? null
    return { findings, stopped: end?.stopped, reason, seen, requests: end?.requests ?? 0 }
  } finally {
    await server.close()
  }
}

const json = 'application/json'
const missing = [404, json, '{"detail":"Not Found"}'] as const
const page = [200, 'text/html', '<!doctype html><div id="app"></div>'] as const
const below =
  (prefix: string, otherwise: readonly [number, string, string]) =>
  (path: string): readonly [number, string, string] =>
    Object.keys(paths).some(each => path === prefix + each) ? [200, json, '"a"'] : otherwise

const told = (at: string, answer: string, base = 'URL'): string =>
  `the server does not have the paths of the document at ${base} (GET /health: ${answer}), but at ${at}: try ${at}`

describe('the base URL is told', () => {
  test.each<readonly [string, ...Parameters<typeof run>, string]>([
    ['below /api', below('/api', missing), {}, told('URL/api', '404')],
    ['below /api/v1', below('/api/v1', missing), {}, told('URL/api/v1', '404')],
    ['below /api of a web app', below('/api', page), {}, told('URL/api', '200 text/html')],
    ['below the base URL', below('/app/v1', missing), { base: '/app' }, told('URL/app/v1', '404', 'URL/app')],
    ['above the base URL', below('', missing), { base: '/app' }, told('URL', '404', 'URL/app')],
    ['beside the base URL', below('/api', missing), { base: '/app' }, told('URL/api', '404', 'URL/app')],
    [
      'where the document says',
      below('/plants/v7', missing),
      { document: documentWith(paths, { servers: [{ url: 'https://plants.test/plants/v7/' }] }) },
      told('URL/plants/v7', '404'),
    ],
    [
      'where a document of Swagger 2.0 says',
      below('/plants/v7', missing),
      {
        document: JSON.stringify({
          swagger: '2.0',
          info: { title: 'A', version: '1' },
          basePath: '/plants/v7',
          paths: {
            '/health': { get: { responses: { 200: { description: 'ok', schema: { type: 'string' } } } } },
          },
        }),
      },
      told('URL/plants/v7', '404'),
    ],
    [
      'where credentials are wanted',
      path => (path.startsWith('/api/') && !path.includes('no-such') ? [401, json, '{}'] : missing),
      {},
      told('URL/api', '404'),
    ],
    [
      'where credentials are wanted for any path',
      path => (path.startsWith('/v1/') ? [401, json, '{}'] : missing),
      {},
      told('URL/v1', '404').replace('but at', 'but asks for credentials at'),
    ],
    [
      'if the first operation declares no success',
      below('/api', missing),
      {
        document: documentWith({
          '/error': { get: { operationId: 'error', responses: { 500: { description: 'always' } } } },
          ...paths,
        }),
      },
      told('URL/api', '404'),
    ],
  ])('%s', async (_, answer, options, reason) => {
    const result = await run(answer, options)
    expect(result).toMatchObject({ findings: [], stopped: 'access', reason })
    expect(result.requests).toBeLessThan(60)
  })

  test('by the path of an operation with another method, if there is no GET: only GETs guess', async () => {
    const document = documentWith({ '/things': { post } })
    const found = await run(
      (path, method) =>
        path !== '/api/things' ? missing : method === 'POST' ? [200, json, '"a"'] : [405, json, '{}'],
      { document },
    )
    expect(found).toMatchObject({ findings: [], stopped: 'access' })
    expect(found.reason).toMatch(/but at URL\/api: try URL\/api$/)
    expect(found.seen.filter(({ method, url }) => method !== 'GET' && url !== '/things')).toEqual([])
  })
})

describe('it is not guessed', () => {
  test('if the API is there', async () => {
    const { seen, stopped } = await run(below('', missing))
    expect(stopped).toBe('done')
    const declared = /^\/(health|things|count-by)(?=[/?]|$)/
    expect(
      seen.filter(({ url }) => url.startsWith('/api') || (url.includes('no-such') && !declared.test(url))),
    ).toEqual([])
  })

  test('if the server answers everything below every prefix alike', async () => {
    const { reason, findings } = await run(path => (path.startsWith('/api/') ? [200, json, '"x"'] : missing))
    expect(findings).toEqual([])
    expect(reason).toBe('the server does not find the operation (404): is the base URL right?')
  })

  test.each([[['/health', '/things']], [['health', 'list', 'make']], [['GET *']]])(
    'by what is never to be sent: %j',
    async never => {
      const { seen } = await run(below('/api', missing), { never })
      expect(seen.filter(({ method, url }) => method === 'GET' && /health|things/.test(url))).toEqual([])
    },
  )

  test('by operations that are left out', async () => {
    const { seen } = await run(below('/api', missing), { only: ['count'] })
    expect(seen.filter(({ url }) => /health|things/.test(url))).toEqual([])
  })
})

test('the page of a web app for every path', async () => {
  expect(await run(() => page)).toMatchObject({
    findings: [],
    stopped: 'access',
    reason:
      'the server answers every path with the same page (200 text/html), as a web app does: what is the base URL of the API?',
  })
})

describe('a document of another version', () => {
  const many = documentWith(
    Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map(name => [`/${name}`, { get: { operationId: name, responses: text } }]),
    ),
  )

  test('accuses nobody', async () => {
    const { findings, stopped, reason } = await run(
      path => (path === '/a' ? [200, json, '"a"'] : [404, 'text/html', `<pre>Cannot GET ${path}</pre>`]),
      { document: many },
    )
    expect({ findings, stopped, reason }).toEqual({
      findings: [],
      stopped: 'access',
      reason:
        'the server does not have 4 of 5 operations that were tried (GET /b: 404 text/html, GET /c: 404 text/html): is the document of another version?',
    })
  })

  test('may be one at another base URL', async () => {
    const { reason } = await run(
      path => (['/a', '/api/b', '/api/c'].includes(path) ? [200, json, '"a"'] : missing),
      { document: many },
    )
    expect(reason).toMatch(/at URL \(GET \/b: 404\), but at URL\/api: try URL\/api$/)
  })

  test('is not guessed if the server answers these 404 in another way than any path', async () => {
    const { findings } = await run(
      path =>
        path === '/a'
          ? [200, json, '"a"']
          : /^\/[b-e]$/.test(path)
            ? [404, json, '{"error":"nothing yet"}']
            : missing,
      { document: many },
    )
    expect(findings.map(({ title }) => title).join()).toContain('accepted no valid request (404)')
  })
})
