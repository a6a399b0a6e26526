/** Every flag of verify and mock becomes the option of the room that it stands for, and every option has a flag. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mockCommand } from '../../../cli/commands/mock.ts'
import { verifyCommand } from '../../../cli/commands/verify.ts'
import { type MockFlags, mockOptionsOf } from '../../../cli/handlers/mock.ts'
import { type VerifyFlags, verifyOptionsOf } from '../../../cli/handlers/verify.ts'
import { embeddedMock } from '../../../cli/options/server-flags.ts'
import type { VerifyOptions } from '../../../conformance/index.ts'
import type { MockOptions } from '../../../mock/index.ts'
import { writeLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { start } from '../../reports/fixture.ts'
import { contracts } from '../../spec/contracts.ts'
import { fileWith, flagsIn, flagsOf, folder, type Given, parse, pem, textOf } from './given.ts'

const waiver = { obligation: 'createPlant', reason: 'r', owner: 'o', expires: '2999-12-31' }
const known = { obligation: 'createPlant/auth/absent', cause: 'answered 200', since: '2026-01-01' }
const baseline = fileWith('baseline.json', JSON.stringify({ version: 1, findings: [known] }))
const pin = { obligation: 'createPlant/unspecified/other-path', answers: ['404'] }
const client = ['--cert', pem('client.pem'), '--key', pem('client.key')]

/** Options that no flag gives, or that the command gives beside its flags. */
type NotOfVerify =
  | 'target'
  | 'contract'
  | 'token'
  | 'otherToken'
  | 'secrets'
  | 'sustained'
  // Other tests of the command line use them: the embedded mock keeps nothing, and the plant store has no parameters.
  | 'stateless'
  | 'fixtures'
  | 'createdNames'
  | 'flows'
  | 'flowInputs'
  | 'listen'
  | 'examples'
  | 'planCache'
  | 'onEvent'
  | 'onExchange'
  | 'watch'
  | 'signal'
  | 'at'
  | 'msBefore'
  | 'ciRun'
  | 'product'

const ofVerify: { readonly [Name in Exclude<keyof VerifyOptions, NotOfVerify>]-?: Given } = {
  seed: [['--seed', '7'], 7],
  auth: [['--auth', 'Authorization: token {}'], 'Authorization: token {}'],
  testedProduct: [
    ['--subject', 'name=Plant Store', '--subject', 'url=http://a.test/?b=c'],
    { name: 'Plant Store', url: 'http://a.test/?b=c' },
  ],
  runBy: [['--run-by', 'Jane Doe, ACME'], 'Jane Doe, ACME'],
  nonce: [['--nonce', 'n-1'], 'n-1'],
  cases: [['--cases', '50'], 50],
  only: [
    ['--only', 'a', '--only', 'b'],
    ['a', 'b'],
  ],
  skip: [['--skip', 'c'], ['c']],
  never: [['--never', 'DELETE /admin/*'], ['DELETE /admin/*']],
  include: [['--include', 'POST /reset'], ['POST /reset']],
  waivers: [['--waivers', fileWith('waivers.json', JSON.stringify([waiver]))], [waiver]],
  baseline: [['--baseline', baseline], [known]],
  shrinkBaseline: [['--baseline', baseline, '--update-baseline'], true],
  pins: [['--pins', fileWith('pins.json', JSON.stringify({ version: 1, pins: [pin] }))], [pin]],
  bail: [['--bail'], true],
  minTested: [['--min-tested', '0.9'], 0.9],
  maxSeconds: [['--max-time', '2m'], 120],
  concurrency: [['--concurrency', '3'], 3],
  waitSeconds: [['--wait-for', '500ms'], 0.5],
  unauthenticated: [['--unauthenticated', '401'], '401'],
  undeclaredFailures: [['--undeclared-failures', 'fail'], 'fail'],
  maxResponseTime: [
    ['--max-response-time', 'p95=300ms', '--max-response-time', 'createPlant:max=2s'],
    [
      { measure: 'p95', ms: 300 },
      { operation: 'createPlant', measure: 'max', ms: 2000 },
    ],
  ],
  strict: [['--strict'], true],
  malformedHttp: [['--malformed-http'], true],
  keep: [['--keep'], true],
  timeoutMs: [['--timeout', '2s'], 2000],
  insecure: [['--insecure'], true],
  ca: [['--ca', pem('ca.pem')], textOf('ca.pem')],
  cert: [client, textOf('client.pem')],
  key: [client, textOf('client.key')],
  proxy: [['--proxy', 'http://proxy.test:3128'], new URL('http://proxy.test:3128')],
  headers: [
    ['--header', 'X-Key: 1', '--header', 'X-Other: 2'],
    [
      ['X-Key', '1'],
      ['X-Other', '2'],
    ],
  ],
  rate: [['--rate', '9'], 9],
  requestHook: [
    ['--request-hook', fileWith('hook.mjs', 'export default function sign() {}')],
    expect.any(Function) as never,
  ],
}

/** Flags that choose the contract, the configuration or the outputs; other tests of the command line use them. */
const notRoomOfVerify = [
  ...[
    '--spec',
    '--network-refs',
    '--overlay',
    '--ref-folder',
    '--strict-document',
    '--config',
    '--no-config',
    '--shard',
    '--allow-partial',
  ],
  ...['--token', '--token-command', '--token-file'],
  ...['--other-token', '--other-token-command', '--other-token-file', '--other-user'],
  ...['--secret', '--secret-command', '--secret-file', '--auth-wfc'],
  ...['--oauth-client-id', '--oauth-token-url', '--oauth-scope', '--oauth-auth-method'],
  ...[
    '--before',
    '--after',
    '--hook-timeout',
    '--arazzo',
    '--arazzo-input',
    '--listen',
    '--public-url',
    '--callback-wait',
    '--fixture',
    '--fixture-command',
    '--created',
    '--stateless',
  ],
  '--examples',
  '--max-waiver-days',
  ...['--report', '--out', '--har', '--bundle', '--suggest-overlay', '--summary', '--quiet', '--verbose'],
]

test.each(Object.entries(ofVerify))('verify: the option %s comes from %j', async (name, [args, value]) => {
  const optionsOf = async (given: readonly string[]) =>
    verifyOptionsOf(
      await parse<VerifyFlags>(
        verifyCommand(() => {}),
        given,
      ),
      embeddedMock,
      contracts.plantStore,
      new Date(),
    )
  expect((await optionsOf(args))[name as keyof typeof ofVerify]).toEqual(value)
  expect((await optionsOf([]))[name as keyof typeof ofVerify]).not.toEqual(value)
})

test('verify: the seed follows from the nonce, unless there is one', async () => {
  const seedOf = async (...args: readonly string[]) =>
    verifyOptionsOf(
      await parse<VerifyFlags>(
        verifyCommand(() => {}),
        args,
      ),
      embeddedMock,
      contracts.plantStore,
      new Date(),
    ).seed
  // printf %s hello | sha256sum: 2cf24dba…
  expect(await seedOf('--nonce', 'hello')).toBe(0x2cf24dba >>> 1)
  expect(await seedOf('--nonce', 'hello', '--seed', '7')).toBe(7)
  expect(await seedOf()).toBeUndefined()
})

test('verify: each flag is an option of the room, or used by the command line itself', () => {
  expect([...new Set([...flagsIn(ofVerify), ...notRoomOfVerify])].sort()).toEqual(
    [...flagsOf(verifyCommand(() => {}))].sort(),
  )
})

const sets = { calm: { createPlant: { status: 400 } } }
const spec = fileURLToPath(new URL('../../documents/library.openapi.yaml', import.meta.url))
const pair = ['--tls-cert', pem('server.pem'), '--tls-key', pem('server.key')]

/** The ledger of a run without exchanges. */
const learnedLedger = fileWith(
  'learnt.ndjson',
  writeLedger(
    foldLedger([{ ...start(), contract: { ...start().contract, digest: contracts.plantStore.digest } }]),
  ),
)

const ofMock: { readonly [Name in Exclude<keyof MockOptions, 'warn' | 'limits' | 'tls'>]-?: Given } = {
  contract: [['--spec', spec], spec],
  documents: [['--mount', '/a=x.yaml', '--mount', '/b=y.yaml'], { '/a': 'x.yaml', '/b': 'y.yaml' }],
  watch: [['--spec', spec, '--watch'], true],
  overlay: [
    ['--spec', spec, '--overlay', 'a.yaml', '--overlay', 'b.yaml'],
    ['a.yaml', 'b.yaml'],
  ],
  networkRefs: [['--network-refs'], true],
  refFolder: [['--ref-folder', '..'], '..'],
  strictDocument: [['--strict-document'], true],
  tokens: [
    ['--token', 'a', '--token', 'b'],
    ['a', 'b'],
  ],
  issuedTokens: [['--issued-tokens'], true],
  perToken: [['--per-token'], true],
  unauthenticated: [['--unauthenticated', 'either'], 'either'],
  basePath: [['--base-path', '/v2'], '/v2'],
  callbacks: [['--callbacks'], true],
  callbackHosts: [['--callback-hosts', 'hooks.example'], ['hooks.example']],
  cors: [['--no-cors'], false],
  breaks: [['--break', 'createPlant/auth/absent'], 'createPlant/auth/absent'],
  scenarios: [['--scenario', 'createPlant:status=400'], { createPlant: { status: 400 } }],
  scenarioSets: [['--scenario-file', fileWith('sets.json', JSON.stringify({ sets }))], sets],
  scenarioSet: [['--scenario-set', 'calm'], 'calm'],
  like: [['--like', learnedLedger], expect.objectContaining({ target: 'https://staging.example.test' })],
  replay: [
    ['--replay', fileWith('a.har', '{"log":{"entries":[]}}')],
    { file: join(folder, 'a.har'), entries: [] },
  ],
  rules: [['--rule', 'listBooks.n=size', '--rule', '*.q=off'], { 'listBooks.n': 'size', '*.q': 'off' }],
  stateful: [['--stateful'], true],
  stateFile: [['--state', 'things.db'], 'things.db'],
  seedData: [['--seed-data', fileWith('seeds.json', '{"/books":[]}')], { '/books': [] }],
  values: [['--values', fileWith('values.mjs', 'export const Book = 1')], { Book: 1 }],
  seed: [['--seed', '7'], 7],
  maxBodyBytes: [['--max-body', '99'], 99],
  host: [['--host', '0.0.0.0'], '0.0.0.0'],
  port: [['--port', '0'], 0],
}

const tlsOfMock: readonly Given[] = [
  [['--tls'], true],
  [['--tls-cert-out', join(folder, 'out.pem')], true],
  [pair, { cert: textOf('server.pem'), key: textOf('server.key') }],
]

test.each([...Object.entries(ofMock), ...tlsOfMock.map(given => ['tls', given] as const)])(
  'mock: the option %s comes from %j',
  async (name, [args, value]) => {
    const optionsOf = async (given: readonly string[]): Promise<MockOptions> =>
      mockOptionsOf(
        await parse<MockFlags>(
          mockCommand(() => {}),
          given,
        ),
      )
    expect((await optionsOf(args))[name as keyof MockOptions]).toEqual(value)
    expect((await optionsOf([]))[name as keyof MockOptions]).not.toEqual(value)
  },
)

test('mock: each flag is an option of the room, or used by the command line itself', () => {
  const tls = tlsOfMock.flatMap(([args]) => args.filter(arg => arg.startsWith('--')))
  const used = [...flagsIn(ofMock), ...tls, '--arazzo', '--config', '--no-config', '--log']
  expect([...new Set(used)].sort()).toEqual([...flagsOf(mockCommand(() => {}))].sort())
})
