/** Operations that take only what exists: the suite learns that from what the server shows, and accuses nobody of a name that it made up. */
import { createServer, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { hasJsonType, strictJson } from '../strict-json.ts'

const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const text = { type: 'string' }
const failure = { description: 'no' }
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text })

const countries = [
  { name: 'Kenya', alpha2Code: 'KE', region: 'Africa', capital: ['Nairobi'], currencies: [{ code: 'KES' }] },
  { name: 'Laos', alpha2Code: 'LA', region: 'Asia', capital: ['Vientiane'], currencies: [{ code: 'LAK' }] },
]
const list = json({ type: 'array', items: { type: 'object' } })

type Answer = { readonly status: number; readonly body?: unknown }

/** A server that answers as this does, and logs the requests that it accepted. */
const serverOf = async (answer: (request: IncomingMessage, path: string, body: Buffer) => Answer) => {
  const accepted = new Set<string>()
  const server = createServer(async (request, response) => {
    const url = request.url ?? ''
    const { status, body } = answer(
      request,
      decodeURI(url.split('?')[0] ?? ''),
      Buffer.concat(await request.toArray()),
    )
    if (status < 300) accepted.add(`${request.method} ${url}`)
    response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, accepted }
}

const run = async (paths: object, url: string, include: readonly string[] = []) => {
  const contract = await loadContract({ from: writeDocument('learned.json', documentWith(paths as never)) })
  const ledger = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 400, include })
  return {
    findings: ledger.findings.map(({ title, obligation }) => `${obligation}: ${title}`),
    notes: ledger.notes
      .map(({ message }) => message)
      .filter(message => message.includes('values from the server')),
  }
}

test('what a list shows is what the paths beside it ask for, whatever it is called there', async () => {
  const responses = { 200: list, 404: failure }
  const byPath = (operationId: string, name: string) => ({
    get: { operationId, parameters: [inPath(name)], responses },
  })
  const { url, accepted } = await serverOf((request, path) => {
    const [, what, value] = /^\/v2\/(\w+)(?:\/([^/]+))?$/.exec(path) ?? []
    if (request.method !== 'GET') return { status: 405 }
    if (what === 'all') return { status: 200, body: countries }
    const found = countries.filter(
      ({ alpha2Code, region, capital, currencies }) =>
        (what === 'alpha' && alpha2Code === value) ||
        (what === 'region' && region === value) ||
        (what === 'capital' && capital[0] === value) ||
        (what === 'currency' && currencies[0]?.code === value),
    )
    return found.length > 0 ? { status: 200, body: found } : { status: 404 }
  })
  const { findings, notes } = await run(
    {
      '/v2/all': { get: { operationId: 'all', responses: { 200: list } } },
      '/v2/alpha/{alphacode}': byPath('byCode', 'alphacode'),
      '/v2/region/{region}': byPath('byRegion', 'region'),
      '/v2/capital/{capital}': byPath('byCapital', 'capital'),
      '/v2/currency/{currency}': byPath('byCurrency', 'currency'),
    },
    url,
  )
  expect(findings).toEqual([])
  for (const path of ['alpha/KE', 'region/Africa', 'capital/Nairobi', 'currency/KES'])
    expect(accepted).toContain(`GET /v2/${path}`)
  expect(notes).toEqual([
    'byCode accepts what exists, so its requests have values from the server: alphacode is "KE" (all, /0/alpha2Code)',
    'byRegion accepts what exists, so its requests have values from the server: region is "Africa" (all, /0/region)',
    'byCapital accepts what exists, so its requests have values from the server: capital is "Nairobi" (all, /0/capital/0)',
    'byCurrency accepts what exists, so its requests have values from the server: currency is "KES" (all, /0/currencies/0/code)',
  ])
})

/** A service of flows, and of runs that refer to one. */
const flowServer = (isBroken: boolean) => {
  const flows: { id: string; name: string }[] = []
  return serverOf((request, path, body) => {
    if (request.method !== 'POST')
      return { status: request.method === 'GET' && path === '/flows' ? 200 : 405, body: flows }
    if (!hasJsonType(request)) return { status: 415 }
    if (request.headers['content-encoding'] !== undefined) return { status: 415 }
    const value = strictJson(body) as
      | { name?: unknown; flow_id?: unknown; tries?: unknown }
      | null
      | undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { status: 400 }
    if (path === '/flows') {
      if (typeof value.name !== 'string') return { status: 400 }
      const flow = { id: `f-${flows.length}`, name: value.name }
      flows.push(flow)
      return { status: 201, body: flow }
    }
    const { flow_id: id, tries } = value
    if (typeof id !== 'string') return { status: 400 }
    if (tries !== undefined && (!Number.isInteger(tries) || (tries as number) < 1))
      return { status: isBroken ? 500 : 400 }
    return flows.some(flow => flow.id === id) ? { status: 201, body: { flow_id: id } } : { status: 404 }
  })
}

const flowPaths = () => {
  const flow = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }
  const posted = (operationId: string, schema: object, shown: object) => ({
    operationId,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 201: json(shown), 400: failure, 404: failure, 415: failure },
  })
  return {
    '/runs': {
      post: posted(
        'startRun',
        {
          type: 'object',
          required: ['flow_id'],
          properties: { flow_id: text, tries: { type: 'integer', minimum: 1 } },
        },
        { type: 'object' },
      ),
    },
    '/flows': {
      post: posted('addFlow', { type: 'object', required: ['name'], properties: { name: text } }, flow),
      get: { operationId: 'listFlows', responses: { 200: json({ type: 'array', items: flow }) } },
    },
  }
}

test('a property of a body that refers to something has what exists, and no other value of it is called rejected', async () => {
  const { url, accepted } = await flowServer(false)
  const { findings, notes } = await run(flowPaths(), url)
  expect(findings).toEqual([])
  expect(accepted).toContain('POST /runs')
  expect(notes).toEqual([
    'startRun accepts what exists, so its requests have values from the server: /flow_id is "f-0" (addFlow, /id)',
  ])
})

test('what such an operation gets wrong is found', async () => {
  const { url } = await flowServer(true)
  const { findings } = await run(flowPaths(), url)
  expect(findings).toContainEqual(expect.stringMatching(/^startRun\/.*: answered 500 to .* as `tries`/))
})

test('what the server shows is read, and never changed or removed', async () => {
  const flows = new Map(['a1', 'b2'].map(id => [id, { id, name: id }]))
  const touched: string[] = []
  const { url, accepted } = await serverOf((request, path) => {
    const { method } = request
    const id = /^\/flows\/([^/]+)$/.exec(path)?.[1] ?? ''
    if (path === '/flows/filter' && method === 'POST') return { status: 200, body: [...flows.values()] }
    // Nothing can be created, so nothing is the run's own.
    if (path === '/flows')
      return method === 'GET' ? { status: 200, body: [...flows.values()] } : { status: 403 }
    if (!flows.has(id)) return { status: 404 }
    if (method !== 'GET') touched.push(`${method} ${path}`)
    return { status: method === 'DELETE' ? 204 : 200, body: flows.get(id) }
  })
  const parameters = [inPath('id')]
  const flow = { type: 'object', properties: { id: text, name: text } }
  const body = { required: true, content: { 'application/json': { schema: flow } } }
  const responses = { 200: json(flow), 204: failure, 400: failure, 404: failure }
  const listed = { 200: json({ type: 'array', items: flow }), 400: failure }
  await run(
    {
      '/flows': { post: { operationId: 'add', requestBody: body, responses } },
      '/flows/filter': { post: { operationId: 'filter', requestBody: body, responses: listed } },
      '/flows/{id}': {
        get: { operationId: 'get', parameters, responses },
        put: { operationId: 'replace', parameters, requestBody: body, responses },
        patch: { operationId: 'change', parameters, requestBody: body, responses },
        delete: { operationId: 'remove', parameters, responses },
      },
      '/flows/{id}/stop': { post: { operationId: 'stop', parameters, responses } },
    },
    url,
    ['*'],
  )
  expect(accepted).toContain('GET /flows/a1')
  expect(touched).toEqual([])
})

test('a list that was empty is asked for again after something else has added to it', async () => {
  const sent: { readonly ID: string }[] = []
  const responses = { 200: list, 404: failure }
  const { url, accepted } = await serverOf((request, path) => {
    if (request.method === 'POST' && path === '/send') {
      sent.push({ ID: `m${sent.length}` })
      return { status: 200, body: { queued: true } }
    }
    if (request.method !== 'GET') return { status: 405 }
    if (path === '/messages') return { status: 200, body: sent }
    return sent.some(({ ID }) => path === `/message/${ID}`) ? { status: 200, body: [] } : { status: 404 }
  })
  await run(
    {
      '/messages': { get: { operationId: 'messages', responses: { 200: list } } },
      '/message/{ID}': { get: { operationId: 'message', parameters: [inPath('ID')], responses } },
      '/send': { post: { operationId: 'send', responses: { 200: json({ type: 'object' }) } } },
    },
    url,
  )
  expect(accepted).toContain('GET /message/m0')
})
