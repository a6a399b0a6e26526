/** A finding as a test of another tool: it fails as long as the server does what was found, and passes when that is fixed. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { regressionTestOf, testFormats, writeTest } from '../../../reports/index.ts'
import {
  type Finding,
  type Json,
  parseJson,
  type RecordedObligation,
  type RecordedOutcome,
  type RecordedStep,
} from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'
import { listen } from '../../listen.ts'
import { contracts, operationOf } from '../../spec/contracts.ts'
import { finding, response, start } from '../fixture.ts'

const operation = operationOf(contracts.plantStore, 'createPlant')
const names = ['request', 'body', 'tag', 'type', 'null']
const obligation = {
  ...start().obligations[0],
  id: `createPlant/${names.join('/')}`,
  operation: 'createPlant',
  names,
  requirement: 'null as `tag` instead of a string is rejected',
} as RecordedObligation
const ledgerOf = (of: RecordedObligation, target = 'http://127.0.0.1:1/api/') =>
  ({ start: { ...start(), target, obligations: [of] } }) as unknown as Parameters<typeof regressionTestOf>[0]

const nullTag: Finding = finding('7f3', {
  obligation: obligation.id,
  title: 'accepted null as `tag` instead of a string',
  expectation: 'reject',
  expected: '400, a declared failure',
  outcome: response(200, '{}'),
  request: {
    method: 'POST',
    target: '/plants?q=a%20b',
    headers: [
      ['Content-Type', 'application/json'],
      ['Authorization', 'Bearer {{token}}'],
      ['Content-Length', '24'],
    ],
    body: { encoding: 'utf8', data: '{"name":"It\'s `$1` \\n","tag":null}', bytes: 34 },
    chunked: false,
  },
})
const testOf = (of: Finding, recorded = obligation, target?: string) => {
  const made = regressionTestOf(ledgerOf(recorded, target), of, operation)
  if ('problem' in made) throw new Error(made.problem)
  return made
}

/** Answers as it is told, and keeps what it was asked. */
const answering = async (status: number) => {
  const asked: {
    readonly request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>
    readonly body: string
  }[] = []
  const server = createServer(async (request, answer) => {
    asked.push({ request, body: Buffer.concat(await request.toArray()).toString() })
    answer.writeHead(status, status === 302 ? { Location: '/login' } : {}).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, asked }
}

const run = promisify(execFile)

/** Whether a generated test passes, run by what its tool is. */
const passes: Readonly<
  Record<'vitest' | 'pytest', (text: string, env: Record<string, string>) => Promise<boolean>>
> = {
  vitest: async (text, env) => {
    const folder = emptyFolder()
    // The test function of the tool, with what it needs of it: the file itself is run as it is.
    writeFileSync(
      join(folder, 'vitest.mjs'),
      'export const test = (_name, body) => body()\nexport const expect = (given, said) => ({ toBe: wanted => { if (given !== wanted) { console.error(said); process.exit(1) } } })\n',
    )
    writeFileSync(join(folder, 'a.mjs'), text.replace("from 'vitest'", "from './vitest.mjs'"))
    return run(process.execPath, [join(folder, 'a.mjs')], { env: { ...process.env, ...env } }).then(
      () => true,
      () => false,
    )
  },
  pytest: async (text, env) => {
    const file = join(emptyFolder(), 'test_a.py')
    const name = /def (test_\w+)/.exec(text)?.[1]
    writeFileSync(file, `${text}\n\n${name}()\n`)
    return run('python3', [file], { env: { ...process.env, ...env } }).then(
      () => true,
      () => false,
    )
  },
}
const hasPython = spawnSync('python3', ['--version']).status === 0

describe.each(['vitest', 'pytest'] as const)('%s', tool => {
  test.skipIf(tool === 'pytest' && !hasPython)(
    'the test fails as long as the fault is there, with the request that showed it',
    async () => {
      const text = writeTest(tool, testOf(nullTag))
      for (const [status, expected] of [
        [200, false],
        [500, false],
        [302, false],
        [400, true],
        [422, true],
      ] as const) {
        const { url, asked } = await answering(status)
        const env = { PLANTSTORE_URL: `${url}/api`, PLANTSTORE_TOKEN: 'a-token' }
        expect(await passes[tool](text, env), `${status}`).toBe(expected)
        const [{ request, body } = { request: { headers: {} }, body: '' }] = asked
        expect([request.method, request.url]).toEqual(['POST', '/api/plants?q=a%20b'])
        expect(request.headers.authorization).toBe('Bearer a-token')
        expect(request.headers['content-type']).toBe('application/json')
        expect(body).toBe(nullTag.request.body?.data)
        expect(asked).toHaveLength(1)
      }
    },
  )
})

test.each(testFormats)('%s: the exact file', async format => {
  await expect(writeTest(format, testOf(nullTag))).toMatchFileSnapshot(`golden/null-tag.${format}`)
})

test('a collection for Postman is one that it imports: JSON with the request, and the status in its script', () => {
  const { item, variable, info } = JSON.parse(writeTest('postman', testOf(nullTag)))
  expect(info.schema).toContain('/v2.1.0/')
  expect(variable[0]).toEqual({ key: 'PLANTSTORE_URL', value: 'http://127.0.0.1:1/api' })
  expect(item[0].request.url).toBe('{{PLANTSTORE_URL}}/plants?q=a%20b')
  expect(item[0].event[0].script.exec.join('\n')).toContain('status >= 400 && status <= 499')
})

test('an undeclared status may be answered by those that are declared', () => {
  const recorded = { ...obligation, id: 'createPlant/response/declared', names: ['response', 'declared'] }
  const shown = { ...nullTag, obligation: recorded.id, expectation: 'reject' } as const
  expect(testOf(shown, recorded).statuses).toEqual([[400, 400]])
  expect(testOf({ ...shown, expectation: 'accept' }, recorded).statuses).toEqual([[200, 200]])
})

const step = (
  role: string,
  method: string,
  target: string,
  body: object | null,
  answer: RecordedOutcome,
  name?: Json,
): RecordedStep => ({
  role,
  operation: role,
  request: {
    method,
    target,
    headers: [
      ['Authorization', 'Bearer {{token}}'],
      ...(body === null ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body:
      body === null
        ? null
        : { encoding: 'utf8', data: JSON.stringify(body), bytes: JSON.stringify(body).length },
    chunked: false,
  },
  outcome: answer,
  ...(name === undefined ? {} : { name }),
})
const located = { ...response(201, ''), headers: [['location', '/api/beds/a%20b?x=1']] } as RecordedOutcome
const stillThere: Finding = {
  ...nullTag,
  obligation: 'getPlant/state/gone',
  title: 'found what was removed',
  expectation: 'accept',
  request: { ...step('read', 'GET', '/beds/a%20b/plants/41', null, response(200, '{}')).request },
  steps: [
    step('create', 'POST', '/beds', { title: 'x' }, located, 'a b'),
    step(
      'create',
      'POST',
      '/plants?bed=a%20b',
      { bed: 'a b', note: '41' },
      response(201, '{"plants":[{"id":41}]}'),
      41,
    ),
    step('change', 'PATCH', '/plants/41', { copyOf: 41 }, response(404, '')),
    step('remove', 'DELETE', '/plants/41', null, response(204, '')),
  ],
}
const gone = { ...obligation, id: stillThere.obligation, names: ['state', 'gone'] }

/** A store in which a removed plant is found still, or is not. */
const removing = async (isRepaired: boolean) => {
  const asked: string[] = []
  const server = createServer(async (request, answer) => {
    const body = Buffer.concat(await request.toArray()).toString()
    asked.push(`${request.method} ${request.url} ${body}`.trim())
    const { method, url } = request
    if (method === 'POST' && url === '/beds') answer.writeHead(201, { Location: '/beds/my%20bed' }).end()
    else if (method === 'POST') answer.writeHead(201).end('{"plants":[{"id":7}]}')
    else if (method === 'GET') answer.writeHead(isRepaired ? 404 : 200).end('{}')
    else answer.writeHead(method === 'DELETE' ? 204 : 404).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, asked }
}

test.for(['vitest', 'pytest'] as const)(
  '%s: what earlier requests created is named as the responses name it',
  async (tool, { skip }) => {
    skip(tool === 'pytest' && !hasPython)
    const text = writeTest(tool, testOf(stillThere, gone))
    for (const isRepaired of [false, true]) {
      const { url, asked } = await removing(isRepaired)
      expect(await passes[tool](text, { PLANTSTORE_URL: url, PLANTSTORE_TOKEN: 't' })).toBe(isRepaired)
      expect(asked).toEqual([
        'POST /beds {"title":"x"}',
        'POST /plants?bed=my%20bed {"bed":"my bed","note":"41"}',
        'PATCH /plants/7 {"copyOf":7}',
        'DELETE /plants/7',
        'GET /beds/my%20bed/plants/7',
      ])
    }
    const { url } = await answering(500)
    expect(await passes[tool](text, { PLANTSTORE_URL: url })).toBe(false)
  },
)

const withHeader = (value: string): Finding => ({
  ...nullTag,
  request: { ...nullTag.request, headers: [['Authorization', value]] },
})

test.for(['vitest', 'pytest'] as const)(
  '%s: credentials of HTTP Basic are made of the token',
  async (tool, { skip }) => {
    skip(tool === 'pytest' && !hasPython)
    const text = writeTest(tool, testOf(withHeader('Basic {{token:basic}}')))
    const { url, asked } = await answering(400)
    expect(await passes[tool](text, { PLANTSTORE_URL: url, PLANTSTORE_TOKEN: 'ann:se:cret' })).toBe(true)
    expect(asked[0]?.request.headers.authorization).toBe(`Basic ${btoa('ann:se:cret')}`)
  },
)

test.each(['http', 'postman'] as const)('%s: credentials of HTTP Basic are a variable', format => {
  expect(writeTest(format, testOf(withHeader('Basic {{token:basic}}')))).toContain(
    'Basic {{PLANTSTORE_TOKEN_BASE64}}',
  )
})

test('names of any size are kept exactly, and found where they stand by themselves', () => {
  const big = '{"ids":[9007199254740993],"id":9007199254740993}'
  const id = parseJson('9007199254740993')
  const { steps, request } = testOf(
    {
      ...stillThere,
      request: step('read', 'POST', '/plants/9007199254740993', { note: 1 }, response(200, '{}')).request,
      steps: [step('create', 'POST', '/plants', {}, response(201, big), id)],
    },
    gone,
  )
  expect(steps[0]?.keeps).toEqual({ as: 'created1', at: ['id'] })
  expect(request.target).toBe('/plants/{{created1}}')
})

test('a body that is nested too deeply is written as it was', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const body = { encoding: 'utf8', data: deep, bytes: deep.length } as const
  const shown = { ...stillThere, request: { ...stillThere.request, body } }
  expect(testOf(shown, gone).request.body?.data).toBe(deep)
})

test.each(testFormats)('%s: the exact file of a chain', async format => {
  await expect(writeTest(format, testOf(stillThere, gone))).toMatchFileSnapshot(
    `golden/still-there.${format}`,
  )
})

test.each<readonly [why: RegExp, change: Partial<Finding>, names: readonly string[]]>([
  [
    /no HTTP client sends/,
    { request: { ...nullTag.request, raw: { pieces: ['GET'], end: 'now' } as never } },
    names,
  ],
  [/more than the status/, {}, ['response', '200', 'body', 'tag', 'type']],
  [/more than the status/, {}, ['state', 'stored']],
  [
    /a header twice/,
    {
      request: {
        ...nullTag.request,
        headers: [
          ['A', 'b'],
          ['a', 'c'],
        ],
      },
    },
    names,
  ],
  [/clients set themselves/, { request: { ...nullTag.request, chunked: true } }, names],
  [/another form/, { request: { ...nullTag.request, headers: [['Authorization', '{{token:cut}}']] } }, names],
])('what one request does not show is named: %s', (why, change, path) => {
  const recorded = { ...obligation, names: path }
  expect(regressionTestOf(ledgerOf(recorded), { ...nullTag, ...change }, operation)).toEqual({
    problem: expect.stringMatching(why),
  })
})
