/** One engine, four mounts: the same requests get the same responses from all of them. */
import { setupServer } from 'msw/node'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHandler, createMock, type MockOptions } from '../../../mock/index.ts'
import { createHandlers } from '../../../mock/mounts/msw.ts'
import { mockPage } from '../../../mock/mounts/playwright.ts'
import type { Contract } from '../../../spec/index.ts'
import { launchBrowser } from '../../browser.ts'
import { contracts } from '../../spec/contracts.ts'
import { exchange, startMock } from '../client.ts'
import { libraryCorpus, mostBytes, plantCorpus, type TestRequest, tokens, uncarried } from './corpus.ts'

type SeenResponse = { readonly status: number; readonly headers: readonly string[]; readonly body: string }

/** Sends requests through one mount, one after the other, as a page of a browser does. */
type Mount = {
  readonly send: (request: TestRequest) => Promise<SeenResponse>
  readonly requests: () => readonly string[]
  readonly close: () => Promise<unknown>
}

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
})

/** Headers that are about the connection, and not about the response. */
const ofTransport = new Set(['connection', 'date', 'keep-alive'])

const seenOf = async (response: Response): Promise<SeenResponse> => ({
  status: response.status,
  headers: [...response.headers]
    .filter(([name]) => !ofTransport.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort(),
  body: Buffer.from(await response.bytes()).toString('latin1'),
})

/** A browser adds the origin of the page by itself. */
const initOf = ({ method, headers, body }: TestRequest, origin: string) => ({
  method,
  headers: [...headers, ...(/^(?:GET|HEAD)$/.test(method) ? [] : [['Origin', origin]])] as [string, string][],
  ...(body === null ? {} : { body: body as Uint8Array<ArrayBuffer> }),
})

const requestsOf = ({ journal }: { readonly journal: Awaited<ReturnType<typeof createMock>>['journal'] }) =>
  journal
    .entries()
    .map(
      ({ method, target, body, violations }) =>
        `${method} ${target} ${body === null ? 'no body' : Buffer.from(body).toString('latin1')} ${violations.map(({ id }) => id)}`,
    )

type Options = MockOptions & { readonly contract: Contract }

const mounts: Readonly<Record<string, (options: Options, server: string) => Promise<Mount>>> = {
  'a server': async (options, server) => {
    const mock = await createMock(options)
    return {
      send: async request =>
        seenOf(await fetch(mock.url + request.target, initOf(request, new URL(server).origin))),
      requests: () => requestsOf(mock),
      close: mock.close,
    }
  },
  'a handler': async (options, server) => {
    const handler = await createHandler(options)
    const { origin } = new URL(server)
    return {
      send: async request => {
        const response = await handler(new Request(origin + request.target, initOf(request, origin)))
        return seenOf(response)
      },
      requests: () => requestsOf(handler),
      close: async () => {},
    }
  },
  MSW: async (options, server) => {
    const handlers = await createHandlers({ ...options, server })
    const network = setupServer(...handlers)
    network.listen({ onUnhandledFrame: 'error' })
    return {
      send: async request =>
        seenOf(await fetch(server + request.target, initOf(request, new URL(server).origin))),
      requests: () => requestsOf(handlers),
      close: async () => network.close(),
    }
  },
  Playwright: async (options, server) => {
    const page = await browser.newPage()
    const mock = await mockPage(page, { ...options, server })
    const start = new URL('/start', server).href
    await page.context().route(start, route => route.fulfill({ contentType: 'text/html', body: 'a page' }))
    await page.goto(start)
    return {
      send: request => sendByPage(page, server + request.target, request),
      requests: () => requestsOf(mock),
      close: () => page.close(),
    }
  },
}

const sendByPage = async (
  page: Page,
  url: string,
  { method, headers, body }: TestRequest,
): Promise<SeenResponse> => {
  const sent = { url, method, headers, body: body === null ? null : [...body] }
  const { status, pairs, bytes } = (await page.evaluate(`(${fetchInPage})(${JSON.stringify(sent)})`)) as {
    readonly status: number
    readonly pairs: [string, string][]
    readonly bytes: number[]
  }
  const empty = bytes.length === 0 ? null : Uint8Array.from(bytes)
  return seenOf(new Response(empty, { status, headers: pairs }))
}

const fetchInPage = `async ({ url, method, headers, body }) => {
  const sent = body === null ? {} : { body: Uint8Array.from(body) }
  const response = await fetch(url, { method, headers, ...sent })
  const bytes = [...new Uint8Array(await response.arrayBuffer())]
  return { status: response.status, pairs: [...response.headers], bytes }
}`

const responsesThrough = async (
  name: string,
  options: Options,
  server: string,
  corpus: readonly TestRequest[],
) => {
  const mount = await (mounts[name] as (typeof mounts)[string])(options, server)
  const seen: Record<string, SeenResponse> = {}
  try {
    for (const request of corpus) seen[request.name] = await mount.send(request)
    return { seen, requests: mount.requests() }
  } finally {
    await mount.close()
  }
}

const settings = [
  ['the plant store', contracts.plantStore, 'https://store.example.test', plantCorpus, {}],
  ['the library, below a path', contracts.library, 'https://library.example.test/v2', libraryCorpus, {}],
  [
    'the plant store with 401 and without CORS',
    contracts.plantStore,
    'https://store.example.test',
    plantCorpus,
    { unauthenticated: '401', cors: false },
  ],
  [
    'the plant store with a scenario',
    contracts.plantStore,
    'https://store.example.test',
    plantCorpus.filter(({ name }) => /^(?:a plant|no id|GET .plants|POST .nowhere)$/.test(name)),
    { scenarios: { createPlant: { status: 400, code: 7, message: 'the shelf is full' } } },
  ],
] as const

describe.each(settings)('%s', (_name, contract, server, corpus, extra) => {
  const options: Options = { contract, tokens, maxBodyBytes: mostBytes, ...extra }
  const reference = responsesThrough('a server', options, server, corpus)

  test('the responses to the corpus have several statuses, and each request has a name of its own', async () => {
    const { seen } = await reference
    expect(Object.keys(seen)).toHaveLength(corpus.length)
    expect(new Set(Object.values(seen).map(({ status }) => status)).size).toBeGreaterThan(2)
  })

  test.each(Object.keys(mounts).slice(1))(
    'through %s, statuses, headers and bytes are those of the server',
    async name => {
      const { seen, requests } = await reference
      const other = await responsesThrough(name, options, server, corpus)
      expect(other.seen).toEqual(seen)
      expect(other.requests).toEqual(requests)
    },
    60_000,
  )
})

test.each(uncarried)('only a server can receive $name', async ({ bytes, make, becomes }) => {
  const mock = await startMock({ contract: contracts.plantStore })
  expect(await exchange(mock, bytes, { enough: text => /\r\n\r\n/.test(text) })).toMatch(/^HTTP\/1\.1 4\d\d /)
  if (becomes === null) expect(make).toThrow(TypeError)
  else {
    const { method, url, headers } = make()
    expect([`${method} ${url}`, ...[...headers].map(([name, value]) => `${name}: ${value}`)].join(' ')).toBe(
      becomes,
    )
  }
})
