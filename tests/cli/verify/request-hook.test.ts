/** Requests that own code signs before they are sent. */
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { filesIn } from '../../folder.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { emptyFolder, plantstore } from '../command.ts'

const key = 'k-1f8c65f0'
const token = 'Tulip-7f3aC9-Garden'

const signatureOf = (method: string, path: string, body: Uint8Array): string =>
  createHmac('sha256', key).update(`${method}\n${path}\n`).update(body).digest('hex')

/** The mock behind a gateway that lets only signed requests through. `breaks`: what the mock does wrong. */
const startGateway = async (breaks?: string) => {
  const mock = await createMock({ tokens: [token], ...(breaks === undefined ? {} : { breaks }) })
  onTestFinished(() => mock.close())
  const signatures: string[] = []
  const gateway = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const body = Buffer.concat(await incoming.toArray())
    const signature = String(headers['x-signature'])
    if (signature !== signatureOf(method, url, body)) {
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end('not signed')
      return
    }
    signatures.push(signature)
    const { 'transfer-encoding': _, ...others } = headers
    const onward = send(
      new URL(url, mock.url),
      { method, headers: { ...others, 'content-length': body.length } },
      answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    onward.end(body)
  })
  const { url, close } = await listen(gateway)
  onTestFinished(close)
  return { url, signatures }
}

const only = ['createPlant/request/valid', 'createPlant/auth', 'createPlant/request/body/name']

const hookFile = (source: string): string => {
  const file = join(emptyFolder(), 'sign.mjs')
  writeFileSync(file, source)
  return file
}

const signing = `
import { createHmac } from 'node:crypto'
export default ({ method, url, body }) => {
  const path = new URL(url).pathname + new URL(url).search
  const hmac = createHmac('sha256', '${key}').update(method + '\\n' + path + '\\n').update(body ?? '')
  return { 'X-Signature': hmac.digest('hex') }
}`

const flags = [
  '--token',
  token,
  '--cases',
  '200',
  '--allow-partial',
  ...only.flatMap(each => ['--only', each]),
]

describe('a server behind a gateway that asks for signatures', () => {
  test('is tested if a hook signs each request, and no record has a signature', async () => {
    const { url, signatures } = await startGateway()
    const cwd = emptyFolder()
    const run = await plantstore(['verify', url, ...flags, '--request-hook', hookFile(signing)], { cwd })
    expect(run.code).toBe(0)
    expect(signatures.length).toBeGreaterThan(30)
    const texts = filesIn(cwd)
      .map(([, text]) => text)
      .join('\n')
    expect(signatures.filter(each => texts.includes(each))).toEqual([])
  })

  test('is not tested without', async () => {
    const { url } = await startGateway()
    const { code, stdout } = await plantstore(['verify', url, ...flags], { cwd: emptyFolder() })
    expect(code).not.toBe(0)
    expect(stdout).toContain('403')
  })

  test('shows its faults again with the same hook', async () => {
    const { url } = await startGateway('createPlant/request/body/name/type/null')
    const cwd = emptyFolder()
    const hook = ['--request-hook', hookFile(signing)]
    const run = await plantstore(['verify', url, ...flags, ...hook], { cwd })
    expect(run.code).toBe(1)
    const ledger = readFileSync(join(cwd, 'plantstore-report/ledger.ndjson'), 'utf8')
    const [finding] = ledger.split('\n').flatMap(line => {
      const event = line === '' ? {} : JSON.parse(line)
      return event.type === 'finding' ? [event] : []
    })
    const again = await plantstore(
      ['replay', 'plantstore-report/ledger.ndjson', finding.id, '--target', url, '--token', token, ...hook],
      { cwd },
    )
    expect(again.code).toBe(1)
  })
})

test('credentials that the contract declares are replaced only in requests with the right ones', async () => {
  const seen: (string | undefined)[] = []
  const mock = await createMock({ tokens: [token] })
  onTestFinished(() => mock.close())
  const { findings } = await verify({
    target: mock.url,
    token,
    only,
    cases: 200,
    seed: 1,
    sustained: 0,
    requestHook: ({ headers }) => {
      seen.push(headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1])
      return { Authorization: `Bearer ${token}` }
    },
  })
  // Otherwise requests without credentials would have some, and the mock would accept them.
  expect(seen).toContain(undefined)
  expect(findings.map(({ title }) => title)).toEqual([])
})

test('an API key is replaced by its signature, and only where it is right', async () => {
  const ok = { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } }
  const contract = await loadContract({
    from: writeDocument(
      'signed.json',
      documentWith(
        {
          '/plants': {
            get: {
              operationId: 'listPlants',
              security: [{ sigv4: [] }],
              responses: { 200: ok, 401: { description: 'no' }, 403: { description: 'no' } },
            },
          },
        },
        {
          components: {
            securitySchemes: { sigv4: { type: 'apiKey', in: 'header', name: 'Authorization' } },
          },
        },
      ),
    ),
  })
  const { url, close } = await listen(
    createServer(({ method, url: path, headers }, response) => {
      const isRight = headers.authorization === 'AWS4-HMAC-SHA256 Signature=1f8c65f0'
      const status = path !== '/plants' ? 404 : method !== 'GET' ? 405 : isRight ? 200 : 403
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    }),
  )
  onTestFinished(close)
  const { findings, end } = await verify({
    target: url,
    contract,
    token: 'Orchid-9b2d',
    only: ['listPlants/request/valid', 'listPlants/auth'],
    cases: 200,
    seed: 1,
    sustained: 0,
    requestHook: async () => ({ Authorization: 'AWS4-HMAC-SHA256 Signature=1f8c65f0' }),
  })
  expect(findings.map(({ title }) => title)).toEqual([])
  expect(end?.conclusion).not.toBe('inconclusive')
})

test.each<readonly [source: string, problem: string]>([
  ['export const sign = () => {}', 'must export a function by default'],
  ['export default 1 +', 'cannot be loaded'],
  [
    'export default () => { throw new Error("no key in the vault") }',
    'the request hook failed: no key in the vault',
  ],
  ['export default () => 7', 'must return an object of headers, or nothing'],
  ['export default () => ({ Host: "a.test" })', 'cannot set Host'],
  ['export default () => ({ "X-Signature": 7 })', 'no usable header "X-Signature"'],
])('a hook that is of no use is told in one line: %s', async (source, problem) => {
  const { url } = await startGateway()
  const { code, stdout, stderr } = await plantstore(
    ['verify', url, ...flags, '--request-hook', hookFile(source)],
    { cwd: emptyFolder() },
  )
  expect([2, 4]).toContain(code)
  expect(`${stdout}${stderr}`).toContain(problem)
  expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /)
})
