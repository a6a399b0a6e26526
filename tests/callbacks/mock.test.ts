/** The mock sends callbacks that the suite takes for right. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type VerifyOptions, verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import { type Contract, loadContract, type Verdict } from '../../spec/index.ts'
import { emptyFolder } from '../folder.ts'
import { listen } from '../listen.ts'

const text = readFileSync(new URL('subscriptions.openapi.yaml', import.meta.url), 'utf8')

const contractOf = (document: string): Promise<Contract> => {
  const from = join(emptyFolder(), 'subscriptions.yaml')
  writeFileSync(from, document)
  return loadContract({ from })
}

test.each([
  [1, false],
  [2, false],
  [1, true],
  [2, true],
])('the callbacks of the mock are as declared, seed %i, stateful: %s', async (seed, stateful) => {
  const contract = await contractOf(text)
  const mock = await createMock({ contract, tokens: ['t-1'], callbacks: true, stateful, warn: () => {} })
  try {
    const ledger = await verify({
      ...{ target: mock.url, contract, token: 't-1', seed, cases: 60, sustained: 0, strict: true },
      ...{ stateless: !stateful, listen: { waitMs: 2000 }, only: ['subscribe/callback'] },
    })
    expect(ledger.findings.map(({ obligation }) => obligation)).toEqual([])
    const kinds = ledger.entries.flatMap(({ obligation: { family, id }, verdict }) =>
      family === 'callback' ? [`${id.split('/').at(-1)} ${verdict.kind}`] : [],
    )
    expect(kinds).toEqual([
      'sent passed',
      'request passed',
      'credentials passed',
      'own passed',
      'once passed',
      'rejected passed',
      'refused passed',
      'repeated observed',
    ])
  } finally {
    await mock.close()
  }
})

/** The verdicts of the callback of a mock, with these changes of the document. */
const verdictsWith = async (
  changes: readonly (readonly [from: string, to: string])[],
  options: Partial<VerifyOptions> = {},
): Promise<Readonly<Record<string, Verdict>>> => {
  const document = changes.reduce((changed, [from, to]) => {
    expect(changed).toContain(from)
    return changed.replace(from, () => to)
  }, text)
  const contract = await contractOf(document)
  const mock = await createMock({ contract, tokens: ['t-1'], callbacks: true, warn: () => {} })
  try {
    const ledger = await verify({
      ...{ target: mock.url, contract, token: 't-1', seed: 1, cases: 20, sustained: 0, stateless: true },
      ...{ listen: { waitMs: 2000 }, only: ['subscribe/callback/*/sent', 'subscribe/callback/*/request'] },
      ...options,
    })
    return Object.fromEntries(
      ledger.entries.flatMap(({ obligation: { family, id }, verdict }) =>
        family === 'callback' && !(verdict.kind === 'untested' && verdict.cause === 'selection')
          ? [[id.slice('subscribe/callback/'.length), verdict] as const]
          : [],
      ),
    )
  } finally {
    await mock.close()
  }
}

const url = '"{$request.body#/callbackUrl}/ready"'
const parameter = (part: string): readonly [string, string] => [
  '      operationId: subscribe\n',
  `      operationId: subscribe\n      parameters: [{ name: X-Url, in: ${part}, schema: { type: string, format: uri } }]\n`,
]

test.each([
  ['a query', [[url, "'{$request.query.X-Url}'"], parameter('query')]],
  ['a header', [[url, '$request.header.x-url'], parameter('header')]],
  [
    'a body, with what the response says',
    [[url, "'{$request.body#/callbackUrl}/{$response.body#/id}?for={$request.body#/topic}'"]],
  ],
] as const)('the URL of a callback comes from %s', async (_place, changes) => {
  const { 'ready/sent': sent, 'ready/request': request } = await verdictsWith(changes)
  expect([sent?.kind, request?.kind]).toEqual(['passed', 'passed'])
})

test.each([
  ["'{$response.body#/callbackUrl}'", '$response.body#/callbackUrl, which is not for the client to choose'],
  ['https://hooks.example.test/ready', 'it is sent to https://hooks.example.test/ready'],
  ["'{$request.query.nowhere}'", 'no such request has a place for the URL http://127.0.0.1:'],
])('a callback to %s is untested, with the reason', async (to, reason) => {
  const { 'ready/sent': sent } = await verdictsWith([[url, to]])
  expect(sent).toMatchObject({ kind: 'untested', reason: expect.stringContaining(reason) })
})

test('of several callbacks to one URL, each that came is judged as what it is', async () => {
  const verdicts = await verdictsWith([
    [
      '  /subscriptions/{id}:',
      `        failed:
          '{$request.body#/callbackUrl}/failed':
            post:
              requestBody: { content: { text/plain: { schema: { type: string } } } }
              responses: { '204': { description: taken } }
  /subscriptions/{id}:`,
    ],
  ])
  expect(Object.entries(verdicts).map(([name, { kind }]) => `${name} ${kind}`)).toEqual([
    'ready/sent passed',
    'ready/request passed',
    'failed/sent passed',
    'failed/request passed',
  ])
})

test('callbacks take no more than their part of the time', async () => {
  const contract = await contractOf(text)
  // It sends none.
  const mock = await createMock({ contract, tokens: ['t-1'], warn: () => {} })
  try {
    const ledger = await verify({
      ...{ target: mock.url, contract, token: 't-1', seed: 1, maxSeconds: 4, stateless: true },
      ...{ listen: { waitMs: 60_000 }, strict: true },
    })
    expect(ledger.end?.ms).toBeLessThan(4500)
    const sent = ledger.entries.find(({ obligation }) => obligation.id === 'subscribe/callback/ready/sent')
    // It had not the time that it may take.
    expect(sent?.verdict.kind).toBe('untested')
    expect(ledger.entries.filter(({ verdict }) => verdict.kind === 'passed').length).toBeGreaterThan(50)
  } finally {
    await mock.close()
  }
})

/** The webhooks that a mock sent to a client of these events, after these requests. */
const sentTo = async (
  events: readonly string[],
  requests: readonly (readonly [string, string, object?])[],
) => {
  const from = fileURLToPath(new URL('webhooks.openapi.yaml', import.meta.url))
  const mock = await createMock({ contract: from, callbacks: true, warn: () => {} })
  const came: string[] = []
  let toOther = 0
  const { url, close } = await listen(
    createServer(async (request, response) => {
      const { event, order } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      if (request.url === '/other') toOther += 1
      else came.push(order === undefined ? event : `${event} ${order.total}`)
      response.writeHead(204).end()
    }),
  )
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(mock.url + path, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  }
  try {
    const hook = (await ask('POST', '/hooks', { config: { url }, events })) as { readonly id: number }
    // Another client, who hears of everything, and after the first.
    await ask('POST', '/hooks', { config: { url: `${url}/other` } })
    for (const [method, path, body] of requests)
      await ask(method, path.replace('HOOK', String(hook.id)), body)
    const due = requests.filter(([, path]) => path.startsWith('/orders')).length
    await expect.poll(() => toOther, { timeout: 5000 }).toBe(due)
    return came.toSorted()
  } finally {
    await mock.close()
    await close()
  }
}

const order = { total: 7 }

test('the mock sends webhooks to whoever asks for them, after what they are about', async () => {
  const requests = [
    ['POST', '/orders', order],
    ['DELETE', '/orders/7'],
  ] as const
  expect(await sentTo(['order.created', 'order.removed'], requests)).toEqual([
    'order.created 7',
    'order.removed',
  ])
  expect(await sentTo(['order.removed'], requests)).toEqual(['order.removed'])
})

test('whoever has asked for no more of them gets none', async () => {
  const requests = [
    ['POST', '/orders', order],
    ['DELETE', '/hooks/HOOK'],
    ['POST', '/orders', order],
  ] as const
  expect(await sentTo(['order.created'], requests)).toEqual(['order.created 7'])
})

test.each([1, 2])('the webhooks of the mock are as declared, seed %i', async seed => {
  const from = fileURLToPath(new URL('webhooks.openapi.yaml', import.meta.url))
  const contract = await loadContract({ from })
  const mock = await createMock({ contract, callbacks: true, warn: () => {} })
  try {
    const { entries, findings } = await verify({
      ...{ target: mock.url, contract, seed, cases: 100, sustained: 0, strict: true, stateless: true },
      ...{ listen: { waitMs: 1000 }, only: ['createHook/callback'] },
    })
    expect(findings).toEqual([])
    const kinds = entries.flatMap(({ obligation: { family }, verdict }) =>
      family === 'callback' ? [verdict.kind] : [],
    )
    expect(kinds).toEqual(['observed', 'passed', 'passed', 'observed', 'passed', 'passed'])
  } finally {
    await mock.close()
  }
})
