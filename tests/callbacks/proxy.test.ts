/** What a server sends to its clients goes through the proxy as well, and is judged there. */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ProxyOptions, RunningProxy } from '../../mock/index.ts'
import { foldLedger, type Ledger, type RunEvent } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { startProxy } from '../mock/proxy/through.ts'
import { startSubscriptions, token } from './subscription-server.ts'
import { startOrders } from './webhook-server.ts'

const documentOf = (name: string): string => fileURLToPath(new URL(`${name}.openapi.yaml`, import.meta.url))
const product = { name: 'plantstore', version: '0' }

type Came = {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly fields: string[]
}

/** A client that takes callbacks, and answers with this status. */
const startClient = async (status = 204) => {
  const came: Came[] = []
  const { url, close } = await listen(
    createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      came.push({ method: request.method ?? '', url: request.url ?? '', body, fields: request.rawHeaders })
      response.writeHead(status).end()
    }),
  )
  onTestFinished(close)
  return { url, came }
}

/** A proxy that listens, with its ledger once it has heard `count` callbacks, or something undeclared. */
const start = async (target: string, contract: string, listenTo: Partial<ProxyOptions['listen']> = {}) => {
  const proxy = await startProxy(target, { contract, listen: { port: 0, ...listenTo } })
  const events: RunEvent[] = []
  const run = proxy.record({
    product,
    target: new URL(target),
    at: Date.now(),
    onEvent: event => void events.push(event),
  })
  const heard = (count: number): Promise<void> =>
    new Promise(resolve => {
      const isHeard = (): boolean =>
        proxy.journal.entries().filter(({ scenario }) => /callback|webhook/.test(scenario ?? '')).length >=
        count
      const stop = proxy.journal.listen(() => {
        if (isHeard()) end()
      })
      const end = (): void => {
        stop()
        // The run hears of it after the journal.
        setImmediate(resolve)
      }
      if (isHeard()) end()
    })
  return {
    proxy,
    heard,
    counts: run.counts,
    end: (): Ledger => {
      run.end(1)
      return foldLedger(events)
    },
  }
}

const post = (proxy: RunningProxy, path: string, body: unknown): Promise<Response> =>
  fetch(proxy.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

const verdicts = ({ entries }: Ledger, prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries.flatMap(({ obligation: { id }, verdict }) =>
      id.startsWith(prefix) ? [[id.slice(prefix.length), verdict.kind] as const] : [],
    ),
  )

const subscribe = async (variant: string, listenTo: Partial<ProxyOptions['listen']> = {}) => {
  const { url, close } = await startSubscriptions(variant)
  onTestFinished(close)
  const started = await start(url, documentOf('subscriptions'), listenTo)
  const { status } = await post(started.proxy, '/subscriptions', {
    topic: 'weather',
    callbackUrl: `${started.proxy.callbackUrl}/hooks/7`,
  })
  expect(status).toBe(201)
  await started.heard(1)
  return started
}

describe('a callback that is as declared goes on to the client as it came', () => {
  test.each(['', 'late', 'before the response'])('%s', async variant => {
    const client = await startClient()
    const { end, counts } = await subscribe(variant, {
      forwardTo: new URL(`${client.url}/app`),
      secrets: { hook: 'secret' },
    })
    expect(client.came).toMatchObject([{ method: 'POST', url: '/app/hooks/7/ready' }])
    expect(client.came[0]?.fields).toContain('X-Hook-Signature')
    expect(JSON.parse(client.came[0]?.body ?? '')).toMatchObject({ topic: 'weather', state: 'ready' })
    expect(counts()).toMatchObject({ requests: 0, responses: 0 })
    expect(verdicts(end(), 'subscribe/callback/ready/')).toMatchObject({
      ...{ request: 'passed', credentials: 'passed', sent: 'untested', once: 'untested' },
    })
  })
})

describe('what is wrong with it is the fault of the server', () => {
  test.each([
    ['another path', 'request'],
    ['another method', 'request'],
    ['a body that breaks the schema', 'request'],
    ['another media type', 'request'],
    ['no credentials', 'credentials'],
  ])('%s', async (variant, name) => {
    const { end, counts, proxy } = await subscribe(variant)
    const ledger = end()
    expect(counts()).toMatchObject({ requests: 0, responses: 1 })
    expect(ledger.findings.map(({ obligation, expectation }) => [obligation, expectation])).toEqual([
      [`subscribe/callback/ready/${name}`, 'accept'],
    ])
    expect(ledger.end?.conclusion).toBe('nonconformant')
    // It is recorded with the request that caused it.
    expect(ledger.findings[0]).toMatchObject({
      request: { target: '/subscriptions' },
      outcome: { status: 201 },
    })
    // Without a client, the proxy answers as a client would.
    const came = proxy.journal.entries().find(({ scenario }) => scenario === 'callback')
    expect(came).toMatchObject({ status: 204, operation: 'subscribe.ready' })
  })
})

test('a signature with another secret is told, and the secret is not shown', async () => {
  const { end } = await subscribe('', { secrets: { hook: 'another-secret' } })
  const { findings } = end()
  expect(findings.map(({ obligation }) => obligation)).toEqual(['subscribe/callback/ready/credentials'])
  expect(JSON.stringify(findings)).not.toContain('another-secret')
})

test('a client that answers what the document does not declare is at fault itself', async () => {
  const client = await startClient(418)
  const { end, counts, proxy } = await subscribe('', { forwardTo: new URL(client.url) })
  expect(counts()).toMatchObject({ requests: 1, responses: 0 })
  expect(end().findings).toEqual([])
  const entry = proxy.journal.entries().find(({ scenario }) => scenario === 'callback')
  expect(entry?.status).toBe(418)
  expect(entry?.violations.map(({ message }) => message).join()).toContain('418')
})

test('a client that is not there is told to the server and in the journal, and blames nobody', async () => {
  const { end, counts, proxy } = await subscribe('', { forwardTo: new URL('http://127.0.0.1:1') })
  expect(counts()).toMatchObject({ requests: 0, responses: 0 })
  expect(verdicts(end(), 'subscribe/callback/ready/').request).toBe('passed')
  const entry = proxy.journal.entries().find(({ scenario }) => scenario?.startsWith('callback: ') === true)
  expect(entry).toMatchObject({ status: 502, scenario: expect.stringContaining('the client gave no answer') })
})

test('what the document does not declare goes on, and is not judged', async () => {
  const client = await startClient()
  const { url, close } = await startSubscriptions('')
  onTestFinished(close)
  const { proxy, heard, counts } = await start(url, documentOf('subscriptions'), {
    forwardTo: new URL(client.url),
  })
  await fetch(`${proxy.callbackUrl}/elsewhere?x=1`, { method: 'PUT', body: 'ping' })
  await heard(1)
  expect(client.came).toMatchObject([{ method: 'PUT', url: '/elsewhere?x=1', body: 'ping' }])
  expect(counts()).toMatchObject({ requests: 0, responses: 0 })
  expect(proxy.journal.entries().map(({ scenario }) => scenario)).toEqual(['undeclared callback'])
})

describe('webhooks come to any path, and are told by their events', () => {
  test.each([
    ['', []],
    ['a total as text', ['createHook/callback/order.created/request']],
    ['no delivery id', ['createHook/callback/order.created/request']],
    ['no signature', ['createHook/callback/order.created/credentials']],
    ['another method', ['createHook/callback/order.created/request']],
    ['a list', ['createHook/callback/order.created/request']],
  ] as const)('%s', async (variant, failed) => {
    const { url, close } = await startOrders(variant)
    onTestFinished(close)
    const { proxy, heard, end } = await start(url, documentOf('webhooks'))
    await post(proxy, '/hooks', { config: { url: `${proxy.callbackUrl}/in` }, events: ['order.created'] })
    await post(proxy, '/orders', { total: 7 })
    await heard(1)
    const ledger = end()
    expect(ledger.findings.map(({ obligation }) => obligation)).toEqual(failed)
    const prefix = 'createHook/callback/order.created/'
    expect(verdicts(ledger, prefix)).toMatchObject({
      ...{ request: 'passed', credentials: 'passed' },
      ...Object.fromEntries(failed.map(id => [id.slice(prefix.length), 'failed'])),
    })
  })
})

test('an address that is taken is told by the flag', async () => {
  const { url } = await startClient()
  const port = Number(new URL(url).port)
  await expect(startProxy(url, { listen: { port } })).rejects.toThrow(
    `port ${port} is in use: choose another with --listen, or --listen 0 for any free one`,
  )
})
