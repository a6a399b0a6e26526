import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import type { Exchange } from '../../broken-servers/store/model.ts'
import { allTested } from '../../conclusion-so-far.ts'
import { filesIn } from '../../folder.ts'
import { type Context, during, emptyFolder, plantstore, type Ran } from '../command.ts'
import { echoingStore } from '../servers.ts'

const bearer = ({ request }: Exchange): string => {
  const [header = '', ...others] = request.headersDistinct.authorization ?? []
  return others.length > 0 ? '' : (/^bearer +(\S+)$/i.exec(header)?.[1] ?? '')
}

/** A store that repeats its tokens, each of which is right for so many requests. */
const expiringStore = (uses: number, onIssue?: (token: string) => void) => {
  const issued: string[] = []
  let left = 0
  const issue = (): string => {
    issued.push(`Tulip${issued.length}-7f3aC9-Garden${issued.length}`)
    left = uses
    onIssue?.(issued.at(-1) as string)
    return issued.at(-1) as string
  }
  const store = echoingStore({
    authenticate: exchange => {
      if (bearer(exchange) !== issued.at(-1)) return false
      left -= 1
      // Whoever wants to know of new tokens does not ask for them.
      if (left < 0 && onIssue !== undefined) issue()
      return left >= 0 && bearer(exchange) === issued.at(-1)
    },
  })
  return { issued, issue, store }
}

const ledgerIn = (cwd: string): Ledger =>
  foldLedger(readLedger(readFileSync(join(cwd, 'plantstore-report/ledger.ndjson'), 'utf8')))

const expectRenewed = (cwd: string, { code, stdout, stderr }: Ran, issued: readonly string[]): void => {
  expect(ledgerIn(cwd).findings.map(({ title, actual }) => [title, actual])).toEqual([])
  expect(code).toBe(0)
  expect(issued.length).toBeGreaterThan(2)
  expect(ledgerIn(cwd).notes.map(({ message }) => message)).toContain(
    `the token was renewed ${issued.length - 1} times`,
  )
  const outputs = [
    ['stdout', stdout],
    ['stderr', stderr],
    ...filesIn(join(cwd, 'plantstore-report')),
  ] as const
  const leaks = outputs.flatMap(([name, text]) =>
    issued.filter(token => text.includes(token.slice(2, -2))).map(token => `${name}: ${token}`),
  )
  expect(leaks).toEqual([])
}

const settings = [
  '--seed',
  '1',
  '--cases',
  '300',
  ...allTested,
  '--report',
  'all',
  '--bundle',
  'plantstore-report/run.zip',
]

describe('a token that expires during a run', () => {
  test.each([
    ['--token-command', 'printf "%s\\n" "$(cat token.txt)"'],
    ['--token-file', 'token.txt'],
  ])('is renewed by %s', async (flag, value) => {
    const cwd = emptyFolder()
    const { issued, issue, store } = expiringStore(150, token =>
      writeFileSync(join(cwd, 'token.txt'), `${token}\n`),
    )
    issue()
    await during(store, async ({ url }) => {
      const har = ['--har', 'plantstore-report/all.har']
      const run = await plantstore(['verify', url, flag, value, ...settings, ...har], { cwd })
      expectRenewed(cwd, run, issued)
    })
  })

  test('is renewed by OAuth client credentials, and the secret of the client is nowhere', async () => {
    const cwd = emptyFolder()
    const { issued, issue, store } = expiringStore(150)
    const asked: string[] = []
    const endpoint = tokenEndpoint((authorization, body) => {
      asked.push(`${authorization} ${body}`)
      return { access_token: issue(), token_type: 'Bearer', expires_in: 3600 }
    })
    await during(endpoint, async ({ url: endpointUrl }) =>
      during(store, async ({ url }) => {
        const run = await plantstore(
          [
            ...['verify', url, '--oauth-client-id', 'suite', '--oauth-token-url', `${endpointUrl}/token`],
            ...['--oauth-scope', 'plants:write', ...settings],
          ],
          { cwd, env: { PLANTSTORE_OAUTH_CLIENT_SECRET: 'cl1ent:s3cret' } },
        )
        expectRenewed(cwd, run, issued)
        const basic = Buffer.from('suite:cl1ent%3As3cret').toString('base64')
        expect([...new Set(asked)]).toEqual([
          `Basic ${basic} scope=plants%3Awrite&grant_type=client_credentials`,
        ])
        for (const [, text] of filesIn(join(cwd, 'plantstore-report')))
          expect(text).not.toContain('cl1ent:s3cret')
      }),
    )
  })
})

type Answer = object | { readonly status: number; readonly body: string }

/** A token endpoint that answers every request with this; `pem`: over TLS. */
const tokenEndpoint = async (
  answer: (authorization: string, body: string, target: string) => Answer,
  pem: { readonly cert: string; readonly key: string } | null = null,
) => {
  const listener: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const answered = answer(request.headers.authorization ?? '', body, request.url ?? '')
    const [status, text] =
      'status' in answered ? [answered.status, answered.body] : [200, JSON.stringify(answered)]
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  const server = pem === null ? createServer(listener) : createTlsServer(pem, listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${pem === null ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

const dead = 'http://127.0.0.1:9'

/** Runs `verify` against nothing: whatever is wrong with the token is said before. */
const messageOf = async (args: readonly string[], context: Context = {}): Promise<string> => {
  const { code, stderr } = await plantstore(['verify', dead, ...args], context)
  expect(code).toBe(2)
  return stderr
}

describe('what is wrong with a source is one line, and exit code 2', () => {
  test.each([
    [
      'the command fails',
      ['--token-command', 'echo "log in first" >&2; echo more >&2; exit 3'],
      'plantstore: --token-command echo "log in first" >&2; echo more >&2; exit 3 ended with exit code 3: log in first\n',
    ],
    [
      'the command prints nothing',
      ['--token-command', 'true'],
      'plantstore: --token-command true printed nothing: it must be one token\n',
    ],
    [
      'the command prints two lines',
      ['--token-command', 'echo one; echo two'],
      'plantstore: --token-command echo one; echo two printed 2 lines: it must be one token\n',
    ],
    [
      'the command prints a sentence',
      ['--token-command', 'echo not logged in'],
      "plantstore: the token has a space, which no bearer token has: say with --auth how it is sent, such as --auth 'Authorization: {}'\n",
    ],
    [
      'there is no file',
      ['--token-file', 'none.txt'],
      'plantstore: --token-file none.txt cannot be read (ENOENT)\n',
    ],
    [
      'there are two sources',
      ['--token-file', 'a', '--token-command', 'b'],
      'plantstore: --token-command and --token-file both say where the token comes from: give one of them\n',
    ],
    [
      'there is no secret',
      ['--oauth-client-id', 'suite'],
      'plantstore: --oauth-client-id needs the secret of the client in PLANTSTORE_OAUTH_CLIENT_SECRET\n',
    ],
    ['there is no client', ['--oauth-scope', 'a'], 'plantstore: --oauth-scope needs --oauth-client-id\n'],
  ])('%s', async (_, args, message) => {
    expect(await messageOf(args)).toBe(message)
  })

  const env = { PLANTSTORE_OAUTH_CLIENT_SECRET: 's3cret-of-client' }

  test.each([
    [
      'the endpoint knows no such client',
      { status: 401, body: '{"error":"invalid_client","error_description":"s3cret-of-client is wrong"}' },
      'invalid_client (401): … is wrong: are the client and its secret right?',
    ],
    [
      'the endpoint answers a page',
      { status: 500, body: '<h1>' },
      'it answered 500, which is no answer of a token endpoint',
    ],
    [
      'the endpoint gives no token',
      { token_type: 'Bearer' },
      'the "access_token" property of the answer must be a string',
    ],
  ])('%s', async (_, answer, problem) =>
    during(
      tokenEndpoint(() => answer),
      async ({ url }) => {
        const args = ['--oauth-client-id', 'suite', '--oauth-token-url', `${url}/token`]
        expect(await messageOf(args, { env })).toBe(`plantstore: no token from ${url}/token: ${problem}\n`)
      },
    ),
  )

  test('the endpoint cannot be reached', async () => {
    const args = ['--oauth-client-id', 'suite', '--oauth-token-url', 'http://127.0.0.1:9/token']
    expect(await messageOf(args, { env })).toBe(
      'plantstore: no token from http://127.0.0.1:9/token: connect ECONNREFUSED 127.0.0.1:9\n',
    )
  })

  test('the document declares an endpoint without TLS, or none', async () => {
    const cwd = emptyFolder()
    const declaring = (flows: string): readonly string[] => {
      writeFileSync(join(cwd, 'api.yaml'), document(flows))
      return ['--spec', 'api.yaml', '--oauth-client-id', 'suite']
    }
    expect(
      await messageOf(declaring('authorizationCode: { authorizationUrl: /a, tokenUrl: /t, scopes: {} }'), {
        cwd,
        env,
      }),
    ).toBe(
      'plantstore: --oauth-client-id needs --oauth-token-url: the document declares no clientCredentials flow with a tokenUrl\n',
    )
    expect(
      await messageOf(declaring('clientCredentials: { tokenUrl: http://login.test/t, scopes: {} }'), {
        cwd,
        env,
      }),
    ).toBe(
      'plantstore: the secret would be sent to http://login.test/t, which only the document names, and not on https: confirm it with --oauth-token-url\n',
    )
  })
})

const document = (flows: string): string => `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      security: [{ login: [] }]
      responses: { '200': { description: ok }, '401': { description: no } }
components:
  securitySchemes:
    login: { type: oauth2, flows: { ${flows} } }
`

test('the token endpoint that the document declares is used, if it is on this machine', async () => {
  const asked: string[] = []
  const endpoint = tokenEndpoint((authorization, body) => {
    asked.push(`${authorization}|${body}`)
    return { status: 400, body: '{"error":"invalid_scope"}' }
  })
  await during(endpoint, async ({ url }) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'api.yaml'), document(`clientCredentials: { tokenUrl: '${url}/t', scopes: {} }`))
    const message = await messageOf(
      ['--spec', 'api.yaml', '--oauth-client-id', 'suite', '--oauth-auth-method', 'body'],
      { cwd, env: { PLANTSTORE_OAUTH_CLIENT_SECRET: 'abc' } },
    )
    expect(message).toBe(`plantstore: no token from ${url}/t: invalid_scope (400)\n`)
    expect(asked).toEqual(['|grant_type=client_credentials&client_id=suite&client_secret=abc'])
  })
})

describe('the token endpoint is reached as the server is', () => {
  const env = { PLANTSTORE_OAUTH_CLIENT_SECRET: 'abc' }
  const granted = { access_token: 'Granted-7f', token_type: 'Bearer' }
  const verifyWith = (url: string, args: readonly string[], more: Context['env'] = {}): Promise<Ran> =>
    plantstore(
      ['verify', dead, '--oauth-client-id', 'suite', '--oauth-token-url', `${url}/token`, '--quiet', ...args],
      { env: { ...env, ...more } },
    )

  test('over TLS with the certificates of --ca; --insecure is not enough for a secret', async () => {
    const pem = (name: string): string =>
      fileURLToPath(new URL(`../../conformance/send/tls/${name}`, import.meta.url))
    const pair = {
      cert: readFileSync(pem('server.pem'), 'utf8'),
      key: readFileSync(pem('server.key'), 'utf8'),
    }
    await during(
      tokenEndpoint(() => granted, pair),
      async ({ url }) => {
        // The token is there, and the server is not.
        expect((await verifyWith(url, ['--ca', pem('ca.pem')])).code).toBe(4)
        const { code, stderr } = await verifyWith(url, ['--insecure'])
        expect([code, stderr]).toEqual([
          2,
          expect.stringMatching(/^plantstore: no token from https:.*certificate/m),
        ])
      },
    )
  })

  test('through the proxy of the environment, with a warning that there is no TLS', async () => {
    const targets: string[] = []
    const proxy = tokenEndpoint((_authorization, _body, target) => {
      targets.push(target)
      return granted
    })
    await during(proxy, async ({ url }) => {
      const { code, stderr } = await verifyWith('http://login.example.test', [], { HTTP_PROXY: url })
      expect(code).toBe(4)
      expect(stderr).toContain(
        'warning: --oauth-token-url: the secret of the client is sent to login.example.test without TLS\n',
      )
      expect(targets).toEqual(['http://login.example.test/token'])
    })
  })
})

test('a flag goes before the environment, and the environment before the file', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'plantstore.config.yaml'), `tokenCommand: echo \${NOT_SET_HERE}; exit 7\n`)
  expect(await messageOf([], { cwd })).toMatch(
    /--token-command echo \$\{NOT_SET_HERE\}; exit 7 ended with exit code 7/,
  )
  expect(await messageOf(['--token-file', 'none'], { cwd, env: { PLANTSTORE_TOKEN: 'a-token' } })).toMatch(
    /none cannot be read/,
  )
  const { code } = await plantstore(['verify', dead], { cwd, env: { PLANTSTORE_TOKEN: 'a-token' } })
  expect(code).toBe(4)
  const shown = await plantstore(['config', '--token', 'not-to-be-seen'], { cwd })
  expect(shown.stdout).toMatch(/token {2,}\(not shown\) {2,}flag --token/)
  expect(shown.stdout).toMatch(
    /tokenCommand {2,}echo \$\{NOT_SET_HERE\}; exit 7 {2,}plantstore.config.yaml:1/,
  )
  expect(shown.stdout).not.toContain('not-to-be-seen')
})

test('replay and shards get their token from a source as well', async () => {
  const cwd = emptyFolder()
  const { issue, store } = expiringStore(100_000)
  const command = ['--token-command', `echo ${issue()}`]
  await during(store, async ({ url }) => {
    const args = ['verify', url, ...command, '--seed', '1', '--cases', '100']
    expect((await plantstore([...args, '--shard', '1/1'], { cwd })).code).toBe(0)
    expect((await plantstore([...args, '--allow-partial'], { cwd })).code).toBe(0)
    const again = await plantstore(['replay', 'plantstore-report/ledger.ndjson', '000', ...command], { cwd })
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('PASSED')])
  })
})

test('the embedded mock takes the token of a source for its own', async () => {
  const args = [
    'verify',
    'embedded-mock',
    '--token-command',
    'echo Own-7f3a',
    '--cases',
    '60',
    '--allow-partial',
  ]
  expect((await plantstore(args)).code).toBe(0)
})
