/** Malformed HTTP: who takes it is found, who keeps to RFC 9112 is not blamed. */
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expect as expectDraft } from '../../conformance/expect.ts'
import { replay, verify } from '../../conformance/index.ts'
import { judgeCase } from '../../conformance/judge-case.ts'
import { plainDrafts } from '../../conformance/makers/index.ts'
import { createModel } from '../../conformance/model.ts'
import { createRandomValues } from '../../conformance/random-values.ts'
import { accessOf, createTransport } from '../../conformance/transport/index.ts'
import { createMock } from '../../mock/index.ts'
import {
  type Ledger,
  loadContract,
  type Operation,
  plantStoreDocument,
  type WireCheck,
  wireKinds,
  wireObligationsOf,
} from '../../spec/index.ts'
import { libraryDocument } from '../documents/index.ts'
import { answerText, type RawServer, rawServer } from './raw-server.ts'

const plantStore = loadContract({ from: plantStoreDocument.pathname })

const kindOf = (name: string): string => `createPlant/wire/${name}`

/** The verdicts of the family, by the name of the kind. */
const verdictsOf = (ledger: Ledger): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ledger.entries
      .filter(({ obligation }) => obligation.family === 'wire')
      .map(({ obligation, verdict }) => [obligation.id.split('/wire/')[1], verdict.kind]),
  )

const brokenOf = (ledger: Ledger): readonly string[] =>
  Object.entries(verdictsOf(ledger)).flatMap(([name, verdict]) => (verdict === 'broken' ? [name] : []))

const wired = (url: URL | string, more: Partial<Parameters<typeof verify>[0]> = {}): Promise<Ledger> =>
  verify({ target: url, token: 'secret', seed: 3, wire: true, cases: 300, timeoutMs: 1000, ...more })

test('without --wire nothing malformed is sent, and nothing is promised of it', async () => {
  const mock = await createMock({ tokens: ['secret'] })
  onTestFinished(mock.close)
  const ledger = await wired(mock.url, { wire: false, cases: 100 })
  expect(verdictsOf(ledger)).toEqual({})
  expect(ledger.exchanges.filter(({ request }) => request.raw !== undefined)).toEqual([])
})

test.each([
  ['the plant store', undefined],
  ['the library', libraryDocument],
])('the mock of %s keeps all of it, strictly', async (_name, document) => {
  const contract = document === undefined ? {} : { contract: document }
  const mock = await createMock({ tokens: ['secret'], ...contract })
  onTestFinished(mock.close)
  const ledger = await wired(mock.url, { strict: true, ...contract })
  expect(ledger.findings.map(({ obligation, got }) => `${obligation}: ${got}`)).toEqual([])
  const verdicts = new Set(Object.values(verdictsOf(ledger)))
  expect(verdicts).toEqual(new Set(['kept', 'observed']))
  expect(Object.keys(verdictsOf(ledger))).toHaveLength(wireKinds.length + 1)
})

const echo = (body: string): string => {
  const name = /"name"\s*:\s*("[^"]*")/.exec(body)?.[1] ?? '"x"'
  return answerText(200, `{"name":${name}}`, 'Content-Type: application/json')
}

const refusal = (...lines: readonly string[]): string =>
  answerText(400, '{"error":1,"message":"no"}', 'Content-Type: application/json', ...lines)

/** Takes whatever looks a little like a request, and frames it by the first length that it finds. */
const carelessServer = (): Promise<RawServer> =>
  rawServer(({ socket, head, body }) => {
    socket.write(/^authorization: bearer secret$/im.test(head) ? echo(body) : refusal())
  })

type Bytes = readonly [what: string, answer: string, then: 'stay' | 'close', breaks: readonly WireCheck[]]

const accepted: readonly WireCheck[] = ['accepted', 'continued', 'closed', 'in-order']

/** Servers that say one thing to all, and the checks of which the kinds are broken then. */
const servers: readonly Bytes[] = [
  ['200, and listens on', echo(''), 'stay', ['refused', 'closed', 'in-order']],
  ['200, and the end', echo(''), 'close', ['refused']],
  ['200 twice', echo('') + echo(''), 'stay', ['refused', 'closed', 'in-order', 'alone']],
  ['200 and 400', echo('') + refusal(), 'close', ['refused', 'alone']],
  [
    '200 in chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'close',
    ['refused', 'plain'],
  ],
  ['100 and 200', `HTTP/1.1 100 Continue\r\n\r\n${echo('')}`, 'close', ['refused', 'plain']],
  ['400, and the end', refusal('Connection: close'), 'close', ['accepted', 'closed', 'in-order']],
  ['431, and the end', answerText(431, ''), 'close', ['accepted', 'closed', 'in-order']],
  ['500, and the end', answerText(500, ''), 'close', ['accepted', 'closed', 'in-order', 'survived']],
  ['nothing, and the end', '', 'close', accepted],
  ['what is no HTTP, and the end', 'SSH-2.0\r\n\r\n', 'close', accepted],
]

describe('each kind is judged by its check', () => {
  test.each(servers)('where the server says %s', async (_what, answer, then, breaks) => {
    const server = createServer({ allowHalfOpen: true }, socket => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => {
        if (then === 'close') socket.end(answer)
        else socket.write(answer)
        socket.resume()
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
    })
    const base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const transport = createTransport({ base, token: 'secret', access: accessOf({ timeoutMs: 600 }) })
    const contract = await plantStore
    const model = createModel(contract, contract.operations[0] as Operation)
    const draft = {
      ...plainDrafts({
        model,
        identities: null,
        seed: 1,
        tokenKnown: true,
        values: createRandomValues(model, 1),
      })(1),
    }
    const judged = wireObligationsOf(contract).flatMap(obligation => {
      const kind = wireKinds.find(({ name }) => obligation.id.endsWith(`/${name}`))
      const given = kind === undefined ? draft : { ...draft, wire: { name: kind.name, pick: 0 } }
      const expected = kind === undefined ? null : expectDraft(model, obligation, given, 'secret')
      return kind === undefined || expected === null
        ? []
        : [{ kind, asked: { number: 1, obligation, draft: given, lane: 'any', ...expected } as const }]
    })
    expect(judged).toHaveLength(wireKinds.length)
    const broken = await Promise.all(
      judged.map(async ({ kind, asked }) => {
        const { own } = judgeCase(model, asked, await transport.send(asked.request), 'declared')
        return own === null ? [] : [kind.name]
      }),
    )
    expect(broken.flat()).toEqual(
      wireKinds.filter(({ check }) => breaks.includes(check)).map(({ name }) => name),
    )
    await transport.close()
  })
})

test('a careless server breaks what it must refuse, each by its name', async () => {
  const { url } = await carelessServer()
  const broken = brokenOf(await wired(url, { timeoutMs: 300 }))
  for (const name of [
    'missing-host',
    'two-hosts',
    'bad-host',
    'space-before-colon',
    'two-lengths',
    'length-and-chunked',
  ])
    expect(broken).toContain(name)
  for (const name of ['absolute-form', 'http-1.0', 'http-1.0-answer', 'large-header'])
    expect(broken).not.toContain(name)
})

describe('what it takes is told, with what shows it', () => {
  test('a finding has the bytes, a command for a shell, and a replay that finds it again', async () => {
    const mock = await createMock({ tokens: ['secret'] })
    onTestFinished(mock.close)
    const { url } = await carelessServer()
    const ledger = await wired(url, { timeoutMs: 300 })
    const finding = ledger.findings.find(({ obligation }) => obligation === kindOf('two-hosts'))
    expect(finding?.request.raw?.pieces[0]).toMatch(/^POST .*\r\nHost: \{\{host\}\}\r\nHost: other/)
    expect(finding?.curl).toMatch(/^printf 'POST \/plants HTTP\/1\.1\\r\\nHost: .* \| nc 127\.0\.0\.1 \d+$/)
    expect(finding?.curl).toContain('$PLANTSTORE_TOKEN')
    expect(JSON.stringify(ledger)).not.toContain('Bearer secret')
    const contract = { ledger, id: finding?.id ?? '', token: 'secret', seed: 5, timeoutMs: 1000 }
    const again = await replay({ ...contract, contract: await plantStore, target: url })
    expect(again.flaws.map(({ id }) => id)).toEqual([kindOf('two-hosts')])
    const mended = await replay({ ...contract, contract: await plantStore, target: new URL(mock.url) })
    expect(mended.flaws).toEqual([])
  })

  test('a server that does not get over a request breaks the recovery', async () => {
    let harmed = false
    const { url } = await rawServer(({ socket, head, body }) => {
      const harmful = head.includes('BREW')
      if (harmful || harmed) socket.end(answerText(harmful ? 501 : 500, '', 'Connection: close'))
      else socket.write(/^authorization: bearer secret$/im.test(head) ? echo(body) : refusal())
      harmed = harmful
    })
    const ledger = await wired(url, { concurrency: 1, timeoutMs: 300 })
    expect(brokenOf(ledger)).toContain('recovery')
  })
})
