/** Malformed HTTP: servers that accept it are found, and those that follow RFC 9112 are not blamed. */
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectationOf } from '../../../conformance/cases/expectation.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import { plainSpecs } from '../../../conformance/cases/strategies/index.ts'
import { replay, verify } from '../../../conformance/index.ts'
import { judgeCase } from '../../../conformance/judge/judge-case.ts'
import { accessOf } from '../../../conformance/options/access.ts'
import { createTransport } from '../../../conformance/send/transport/index.ts'
import { createMock } from '../../../mock/index.ts'
import {
  type Ledger,
  loadContract,
  type MalformedHttpCheck,
  malformedHttpKinds,
  type Operation,
  obligationsOf,
  plantStoreDocument,
  protocolObligationsOf,
} from '../../../spec/index.ts'
import { bodyKinds, headKinds } from '../../../spec/obligations/inputs/malformed-http/index.ts'
import { libraryDocument } from '../../documents/index.ts'
import { type RawServer, rawServer, responseText } from './raw-server.ts'

const plantStore = loadContract({ from: plantStoreDocument.pathname })

const kindOf = (name: string): string => `createPlant/protocol/${name}`

/** The verdicts of the family, by the name of the kind. */
const verdictsOf = (ledger: Ledger): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ledger.entries
      .filter(({ obligation }) => obligation.family === 'protocol')
      .map(({ obligation, verdict }) => [obligation.id.split('/protocol/')[1], verdict.kind]),
  )

const failedIn = (ledger: Ledger): readonly string[] =>
  Object.entries(verdictsOf(ledger)).flatMap(([name, verdict]) => (verdict === 'failed' ? [name] : []))

const verifyWith = (url: URL | string, more: Partial<Parameters<typeof verify>[0]> = {}): Promise<Ledger> =>
  verify({
    target: url,
    token: 'secret',
    seed: 3,
    malformedHttp: true,
    cases: 300,
    sustained: 0,
    timeoutMs: 1000,
    ...more,
  })

test('without `malformedHttp` nothing malformed is sent, and no verdict is about it', async () => {
  const mock = await createMock({ tokens: ['secret'] })
  onTestFinished(mock.close)
  const ledger = await verifyWith(mock.url, { malformedHttp: false })
  expect(verdictsOf(ledger)).toEqual({})
  const raw = ledger.exchanges.filter(({ request }) => request.raw !== undefined)
  expect(raw.map(({ obligation }) => obligation)).toSatisfy((ids: readonly string[]) =>
    ids.every(id => id.startsWith('createPlant/request/framing/')),
  )
})

test.each([
  ['the plant store', undefined],
  ['the library', libraryDocument],
])('the mock of %s passes, strictly', async (_name, document) => {
  const contract = document === undefined ? {} : { contract: document }
  const mock = await createMock({ tokens: ['secret'], ...contract })
  onTestFinished(mock.close)
  const ledger = await verifyWith(mock.url, { strict: true, timeoutMs: 5000, ...contract })
  expect(ledger.findings.map(({ obligation, actual }) => `${obligation}: ${actual}`)).toEqual([])
  const verdicts = new Set(Object.values(verdictsOf(ledger)))
  expect(verdicts).toEqual(new Set(['passed', 'observed']))
  expect(Object.keys(verdictsOf(ledger))).toHaveLength(headKinds.length + bodyKinds.length + 1)
})

const echo = (body: string): string => {
  const name = /"name"\s*:\s*("[^"]*")/.exec(body)?.[1] ?? '"x"'
  return responseText(200, `{"name":${name}}`, 'Content-Type: application/json')
}

const rejection = (...lines: readonly string[]): string =>
  responseText(400, '{"error":1,"message":"no"}', 'Content-Type: application/json', ...lines)

/** Accepts whatever looks a little like a request, and frames it by the first length that it finds. */
const carelessServer = (): Promise<RawServer> =>
  rawServer(({ socket, head, body }) => {
    socket.write(/^authorization: bearer secret$/im.test(head) ? echo(body) : rejection())
  })

type Habit = readonly [
  what: string,
  response: string,
  then: 'stay' | 'close',
  failed: readonly MalformedHttpCheck[],
]

const accepted: readonly MalformedHttpCheck[] = ['accepted', 'continued', 'closed', 'in-order']

/** Servers that respond to everything in the same way, and the checks that fail then. */
const servers: readonly Habit[] = [
  ['with 200, and keeps the connection', echo(''), 'stay', ['rejected', 'closed', 'in-order']],
  ['with 200, and closes', echo(''), 'close', ['rejected']],
  ['with 200 twice', echo('') + echo(''), 'stay', ['rejected', 'closed', 'in-order', 'alone']],
  ['with 200 and 400', echo('') + rejection(), 'close', ['rejected', 'alone']],
  [
    'with 200 in chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'close',
    ['rejected', 'plain'],
  ],
  ['with 100 and 200', `HTTP/1.1 100 Continue\r\n\r\n${echo('')}`, 'close', ['rejected', 'plain']],
  ['with 400, and closes', rejection('Connection: close'), 'close', ['accepted', 'closed', 'in-order']],
  ['with 431, and closes', responseText(431, ''), 'close', ['accepted', 'closed', 'in-order']],
  ['with 500, and closes', responseText(500, ''), 'close', ['accepted', 'closed', 'in-order', 'survived']],
  ['with nothing, and closes', '', 'close', accepted],
  ['with something else than HTTP, and closes', 'SSH-2.0\r\n\r\n', 'close', accepted],
]

describe('each kind is judged by its check', () => {
  test.each(servers)('a server that responds %s', async (_what, response, then, failed) => {
    const server = createServer({ allowHalfOpen: true }, socket => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => {
        if (then === 'close') socket.end(response)
        else socket.write(response)
        socket.resume()
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const transport = createTransport({ ...accessOf({ timeoutMs: 600 }), target, token: () => 'secret' })
    const contract = await plantStore
    const model = createOperationModel(contract, contract.operations[0] as Operation)
    const values = createRandomValues(model, 1)
    const plain = plainSpecs({
      model,
      identities: null,
      seed: 1,
      isTokenKnown: true,
      isForwarded: false,
      values,
    })(1)
    const cases = [...obligationsOf(contract), ...protocolObligationsOf(contract)].flatMap(obligation => {
      const { subject } = obligation
      const kind =
        subject.kind === 'protocol' ? malformedHttpKinds.find(({ name }) => name === subject.name) : undefined
      if (kind === undefined) return []
      const spec = { ...plain, malformedHttp: { name: kind.name, pick: 0 } }
      const expected = expectationOf(model, obligation, spec, 'secret')
      if (expected === null) return []
      return [{ kind, testCase: { number: 1, obligation, spec, precondition: 'none', ...expected } as const }]
    })
    expect(cases).toHaveLength(malformedHttpKinds.length)
    const names = await Promise.all(
      cases.map(async ({ kind, testCase }) => {
        const outcome = await transport.send(testCase.request)
        const { violation } = judgeCase(model, testCase, outcome, {
          unauthenticated: 'declared',
          undeclaredFailures: 'gap',
        })
        return violation === null ? [] : [kind.name]
      }),
    )
    expect(names.flat().toSorted()).toEqual(
      malformedHttpKinds
        .filter(({ check }) => failed.includes(check))
        .map(({ name }) => name)
        .toSorted(),
    )
    await transport.close()
  })
})

test('a careless server fails each kind that it must reject, by its name', async () => {
  const { url } = await carelessServer()
  const failed = failedIn(await verifyWith(url, { timeoutMs: 1000 }))
  for (const name of [
    'missing-host',
    'two-hosts',
    'bad-host',
    'space-before-colon',
    'two-lengths',
    'length-and-chunked',
  ])
    expect(failed).toContain(name)
  for (const name of ['absolute-form', 'http-1.0', 'http-1.0-response', 'large-header'])
    expect(failed).not.toContain(name)
})

describe('a server that accepts malformed HTTP gets a finding', () => {
  test('with the bytes, a shell command, and a replay that shows it again', async () => {
    const mock = await createMock({ tokens: ['secret'] })
    onTestFinished(mock.close)
    const { url } = await carelessServer()
    const ledger = await verifyWith(url, { timeoutMs: 300 })
    const finding = ledger.findings.find(({ obligation }) => obligation === kindOf('two-hosts'))
    expect(finding?.request.raw?.pieces[0]).toMatch(/^POST .*\r\nHost: \{\{host\}\}\r\nHost: other/)
    expect(finding?.curl).toMatch(/^printf 'POST \/plants HTTP\/1\.1\\r\\nHost: .* \| nc 127\.0\.0\.1 \d+$/)
    expect(finding?.curl).toContain('$PLANTSTORE_TOKEN')
    expect(JSON.stringify(ledger)).not.toContain('Bearer secret')
    const contract = { ledger, id: finding?.id ?? '', token: 'secret', seed: 5, timeoutMs: 1000 }
    const again = await replay({ ...contract, contract: await plantStore, target: url })
    expect(again.violations.map(({ id }) => id)).toEqual([kindOf('two-hosts')])
    const fixed = await replay({ ...contract, contract: await plantStore, target: new URL(mock.url) })
    expect(fixed.violations).toEqual([])
  })

  test('if it does not recover from a request', async () => {
    let harmed = false
    const { url } = await rawServer(({ socket, head, body }) => {
      const harmful = head.includes('BREW')
      if (harmful || harmed) socket.end(responseText(harmful ? 501 : 500, '', 'Connection: close'))
      else socket.write(/^authorization: bearer secret$/im.test(head) ? echo(body) : rejection())
      harmed = harmful
    })
    const ledger = await verifyWith(url, { concurrency: 1, timeoutMs: 300 })
    expect(failedIn(ledger)).toContain('recovery')
  })
})
