/** Headers and logins from the authentication file that fuzzers of web APIs share. */
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn } from '../../folder.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { emptyFolder, plantstore } from '../command.ts'

const responses = {
  200: { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } },
}
const document = writeDocument(
  'a.json',
  documentWith({
    '/a': { get: { operationId: 'a', responses } },
    '/b': {
      get: {
        operationId: 'b',
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
        responses,
      },
    },
  }),
)

type LoginAnswer = { readonly headers?: Record<string, string | string[]>; readonly body?: object }

const hasSome = ({ headers, url = '' }: IncomingMessage): boolean =>
  ['authorization', 'x-auth', 'cookie'].some(name => headers[name] !== undefined) || /[?&]key=/.test(url)

/** A server where each login gives another secret, which lives for so many requests. */
const service = async (
  answer: (secret: string) => LoginAnswer,
  isIn: (request: IncomingMessage, secret: string) => boolean,
  lifetime = Number.POSITIVE_INFINITY,
) => {
  const logins: string[] = []
  let secret = ''
  let left = 0
  let refused = 0
  const logIn = (request: IncomingMessage, text: string, response: ServerResponse): void => {
    logins.push(`${request.method} ${request.headers['content-type'] ?? '-'} ${text}`)
    if (!text.includes('Sesame-41-Open')) {
      response.writeHead(401).end()
      return
    }
    secret = `Tulip-7f3aC9-${logins.length}`
    left = lifetime
    const { headers = {}, body = {} } = answer(secret)
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const { url, close } = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        const { pathname } = new URL(request.url ?? '', 'http://a')
        if (pathname === '/auth/login') return logIn(request, Buffer.concat(chunks).toString(), response)
        left -= 1
        const isRight = left >= 0 && isIn(request, secret)
        // One request of each operation has none, as the document asks for none.
        if (!isRight && hasSome(request)) refused += 1
        const status = !isRight
          ? 401
          : !['/a', '/b'].includes(pathname)
            ? 404
            : request.method === 'GET'
              ? 200
              : 405
        response.writeHead(status, { 'Content-Type': 'application/json', Allow: 'GET' }).end('"a"')
      })
    }),
  )
  return { url, close, logins, refused: () => refused }
}

const user = { username: 'me', usernameField: 'user', password: 'Sesame-41-Open', passwordField: 'pass' }
const login = (rest: object): object => ({
  endpoint: '/auth/login',
  verb: 'POST',
  contentType: 'application/json',
  ...rest,
})

const run = async (url: string, file: object, env: Readonly<Record<string, string>> = {}) => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'auth.json'), JSON.stringify(file))
  const ran = await plantstore(
    [
      'verify',
      url,
      '--spec',
      document,
      '--seed',
      '1',
      '--cases',
      '200',
      '--concurrency',
      '1',
      '--auth-wfc',
      'auth.json',
      '--report',
      'all',
    ],
    { cwd, env },
  )
  const outputs = [
    ['stdout', ran.stdout],
    ['stderr', ran.stderr],
    ...filesIn(cwd).filter(([name]) => name !== 'auth.json'),
  ] as const
  expect(outputs.filter(([, text]) => /Sesame|7f3aC9/.test(text)).map(([name]) => name)).toEqual([])
  return ran
}

const bearer = (request: IncomingMessage, secret: string): boolean =>
  request.headers.authorization === `Bearer ${secret}`

describe('a login', () => {
  test.each<
    readonly [
      string,
      object,
      (secret: string) => LoginAnswer,
      (request: IncomingMessage, secret: string) => boolean,
      string,
    ]
  >([
    [
      'a token in the body, as of today',
      {
        payloadUserPwd: user,
        token: {
          extractFrom: 'body',
          extractSelector: '/data/token',
          sendIn: 'header',
          sendName: 'Authorization',
          sendTemplate: 'Bearer {token}',
        },
      },
      secret => ({ body: { data: { token: secret } } }),
      bearer,
      'POST application/json {"user":"me","pass":"Sesame-41-Open"}',
    ],
    [
      'a token in the body, as of earlier versions',
      {
        payloadRaw: 'pw=Sesame-41-Open',
        contentType: 'text/plain',
        token: { extractFromField: '/token', httpHeaderName: 'X-Auth', headerPrefix: 'JWT ' },
      },
      secret => ({ body: { token: secret } }),
      ({ headers }, secret) => headers['x-auth'] === `JWT ${secret}`,
      'POST text/plain pw=Sesame-41-Open',
    ],
    [
      'a token in a header, sent in the query',
      {
        payloadUserPwd: user,
        contentType: 'application/x-www-form-urlencoded',
        token: { extractFrom: 'header', extractSelector: 'X-Auth-Token', sendIn: 'query', sendName: 'key' },
      },
      secret => ({ headers: { 'X-Auth-Token': secret } }),
      ({ url = '' }, secret) => new URL(url, 'http://a').searchParams.get('key') === secret,
      'POST application/x-www-form-urlencoded user=me&pass=Sesame-41-Open',
    ],
    [
      'cookies',
      { payloadUserPwd: user, expectCookies: true },
      secret => ({ headers: { 'Set-Cookie': [`sid=${secret}; Path=/; HttpOnly`, 'csrf=1; Max-Age=600'] } }),
      ({ headers }, secret) => headers.cookie === `sid=${secret}; csrf=1`,
      'POST application/json {"user":"me","pass":"Sesame-41-Open"}',
    ],
  ])('that gives %s', async (_, rest, answer, isIn, sent) => {
    const server = await service(answer, isIn)
    try {
      const ran = await run(server.url, { auth: [{ name: 'me', loginEndpointAuth: login(rest) }] })
      expect(ran.stdout).toMatch(/[1-9]\d* passed · 0 failed/)
      expect(server.logins).toEqual([sent])
      expect(server.refused()).toBe(0)
    } finally {
      await server.close()
    }
  })

  test('is repeated when what it gave has expired; template and variables fill in the rest', async () => {
    const server = await service(secret => ({ body: { token: secret } }), bearer, 40)
    try {
      const template = login({
        payloadUserPwd: { ...user, password: `\${WFC_PASSWORD}` },
        token: { extractFromField: '/token', httpHeaderName: 'Authorization', headerPrefix: 'Bearer ' },
      })
      const ran = await run(
        server.url,
        {
          authTemplate: { loginEndpointAuth: template },
          auth: [{ name: 'me', loginEndpointAuth: { payloadUserPwd: { username: 'jo' } } }],
        },
        { WFC_PASSWORD: 'Sesame-41-Open' },
      )
      expect(ran.stdout).toMatch(/[1-9]\d* passed · 0 failed/)
      expect(server.logins.length).toBeGreaterThan(2)
      expect(server.logins[0]).toContain('{"user":"jo"')
    } finally {
      await server.close()
    }
  })
})

test.each([
  [[{ name: 'Authorization', value: 'Bearer Tulip-7f3aC9' }], { authorization: 'Bearer Tulip-7f3aC9' }],
  [
    [
      { name: 'X-User', value: 'me 7f3aC9' },
      { name: 'X-Key', value: 'k-7f3aC9' },
    ],
    { 'x-user': 'me 7f3aC9', 'x-key': 'k-7f3aC9' },
  ],
])('headers that stay the same: %j', async (fixedHeaders, wanted) => {
  let refused = 0
  const { url, close } = await listen(
    createServer((request, response) => {
      request.resume()
      const isIn = Object.entries(wanted).every(
        ([name, value]) => request.headersDistinct[name]?.join() === value,
      )
      const [first = ''] = Object.keys(wanted)
      if (!isIn && request.headersDistinct[first] !== undefined) refused += 1
      const isKnown = /^\/[ab](\?|$)/.test(request.url ?? '')
      const status = !isIn ? 401 : !isKnown ? 404 : request.method === 'GET' ? 200 : 405
      response.writeHead(status, { 'Content-Type': 'application/json', Allow: 'GET' }).end('"a"')
    }),
  )
  try {
    const ran = await run(url, { auth: [{ name: 'me', fixedHeaders }] })
    expect(ran.stdout).toMatch(/[1-9]\d* passed · 0 failed/)
    expect(refused).toBe(0)
  } finally {
    await close()
  }
})

describe('what is wrong is one line, and exit code 2', () => {
  test('the password', async () => {
    const server = await service(() => ({}), bearer)
    try {
      const wrong = { ...user, password: 'other' }
      const ran = await run(server.url, {
        auth: [{ loginEndpointAuth: login({ payloadUserPwd: wrong, expectCookies: true }) }],
      })
      expect(ran).toMatchObject({ code: 2 })
      expect(ran.stderr.trim().split('\n').at(-1)).toBe(
        `plantstore: the login POST ${server.url}/auth/login answered 401: are user and password right (--auth-wfc)?`,
      )
    } finally {
      await server.close()
    }
  })

  test.each([
    [{}, 'plantstore: --auth-wfc auth.json: it has no list "auth" of users'],
    [
      { auth: [{ name: 'me' }] },
      'plantstore: --auth-wfc auth.json: its first user has neither fixedHeaders nor loginEndpointAuth',
    ],
    [
      { auth: [{ loginEndpointAuth: { endpoint: '/a', verb: 'POST' } }] },
      'plantstore: --auth-wfc auth.json: loginEndpointAuth needs a token, or expectCookies: true',
    ],
    [
      { auth: [{ fixedHeaders: [{ name: 'A', value: `\${NOT_SET_ANYWHERE}` }] }] },
      'plantstore: --auth-wfc auth.json: NOT_SET_ANYWHERE is not set in the environment',
    ],
  ])('%j', async (file, message) => {
    const ran = await run('http://127.0.0.1:9', file)
    expect(ran.code).toBe(2)
    expect(ran.stderr.trim()).toBe(message)
  })

  test('the embedded mock, which nobody logs in to', async () => {
    const ran = await run('embedded-mock', { auth: [] })
    expect(ran.stderr.trim()).toBe('plantstore: --auth-wfc needs the URL of a server to log in to')
  })
})

test('a configuration holds the file itself, and is not shown', async () => {
  const server = await service(secret => ({ body: { token: secret } }), bearer)
  try {
    const cwd = emptyFolder()
    const token = { extractFromField: '/token', httpHeaderName: 'Authorization', headerPrefix: 'Bearer ' }
    const authWfc = { auth: [{ name: 'me', loginEndpointAuth: login({ payloadUserPwd: user, token }) }] }
    writeFileSync(
      join(cwd, 'plantstore.config.yaml'),
      JSON.stringify({ verify: { url: server.url, spec: document, authWfc } }),
    )
    const ran = await plantstore(['verify', '--seed', '1', '--cases', '100'], { cwd })
    expect(ran.stdout).toMatch(/[1-9]\d* passed · 0 failed/)
    expect(server.logins).toHaveLength(1)
    const shown = await plantstore(['config', 'verify'], { cwd })
    expect(shown.stdout).toMatch(/authWfc +\(not shown\)/)
    expect(shown.stdout).not.toContain('Sesame')
  } finally {
    await server.close()
  }
})
