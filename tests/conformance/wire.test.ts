/** Malformed HTTP: who takes it is found, who keeps to RFC 9112 is not blamed. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { replay, verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import type { Ledger } from '../../spec/index.ts'
import { wireKinds } from '../../spec/index.ts'
import { libraryDocument } from '../documents/index.ts'
import { answerText, type RawServer, rawServer } from './raw-server.ts'

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

/** Takes whatever looks a little like a request, and never asks twice. */
const carelessServer = (): Promise<RawServer> =>
  rawServer(({ socket, head, body }) => {
    if (!/^authorization: bearer secret$/im.test(head)) socket.write(refusal())
    else socket.write(echo(body))
  })

test('a server that takes whatever comes breaks what it must refuse, each by its name', async () => {
  const { url } = await carelessServer()
  const ledger = await wired(url)
  // Its reader frames bodies by the first Content-Length alone.
  expect(brokenOf(ledger)).toEqual(
    expect.arrayContaining(
      [
        'request-line',
        'version',
        'method-case',
        'unknown-method',
        'missing-host',
        'two-hosts',
        'bad-host',
        'space-before-colon',
        'field-name',
        'connection-close',
        'two-lengths',
        'bad-length',
        'length-and-chunked',
        'length-and-chunked-end',
        'no-length',
        'coding-not-last',
        'chunk-size',
        'truncated',
      ].filter(name => name !== 'truncated'),
    ),
  )
  const kept = [
    'absolute-form',
    'http-1.0',
    'http-1.0-answer',
    'chunk-extension',
    'large-header',
    'expect-continue',
  ]
  for (const name of kept.slice(0, 4)) expect(brokenOf(ledger)).not.toContain(name)
})

test('a server that refuses all of it and closes breaks what it must take, and nothing else', async () => {
  const { url } = await strictServer(() => true)
  expect(brokenOf(await wired(url)).toSorted()).toEqual(
    [
      'absolute-form',
      'chunk-extension',
      'chunk-trailer',
      'chunk-zeros',
      'connection-close',
      'empty-line-before',
      'expect-continue',
      'http-1.0',
      'pipelined',
    ].filter(name => name !== 'expect-continue'),
  )
})

/** Plain requests are taken as they should be; of others, those that are `odd` are refused. */
const strictServer = (odd: (head: string) => boolean): Promise<RawServer> =>
  rawServer(({ socket, head, body }) => {
    const plain =
      /^POST \/plants HTTP\/1\.1\r\n/i.test(head) &&
      (head.match(/^host: [\w.:]+$/gim) ?? []).length === 1 &&
      !/connection: close|expect|x.wire|pipeline/i.test(head) &&
      /^content-length: \d+$/im.test(head)
    if (!plain && odd(head)) socket.end(refusal('Connection: close'))
    else if (!/^authorization: bearer secret$/im.test(head)) socket.write(refusal())
    else socket.write(echo(body))
  })

describe('what it takes is told, with what shows it', () => {
  test('a finding has the bytes, a command for a shell, and a replay that finds it again', async () => {
    const mock = await createMock({ tokens: ['secret'] })
    onTestFinished(mock.close)
    const { url } = await carelessServer()
    const ledger = await wired(url)
    const finding = ledger.findings.find(({ obligation }) => obligation === kindOf('two-hosts'))
    expect(finding?.request.raw?.pieces[0]).toMatch(/^POST .*\r\nHost: \{\{host\}\}\r\nHost: other/)
    expect(finding?.curl).toMatch(/^printf 'POST \/plants HTTP\/1\.1\\r\\nHost: .* \| nc 127\.0\.0\.1 \d+$/)
    expect(finding?.curl).toContain('$PLANTSTORE_TOKEN')
    expect(JSON.stringify(ledger)).not.toContain('Bearer secret')
    const contract = { ledger, id: finding?.id ?? '', token: 'secret', seed: 5, timeoutMs: 1000 }
    const { loadContract, plantStoreDocument } = await import('../../spec/index.ts')
    const document = await loadContract({ from: plantStoreDocument.pathname })
    const again = await replay({ ...contract, contract: document, target: url })
    expect(again.flaws.map(({ id }) => id)).toEqual([kindOf('two-hosts')])
    const mended = await replay({ ...contract, contract: document, target: new URL(mock.url) })
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
    const ledger = await wired(url, { concurrency: 1 })
    expect(brokenOf(ledger)).toContain('recovery')
  })
})
