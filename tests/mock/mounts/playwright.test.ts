import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, type BrowserServer, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MockResponse } from '../../../mock/engine/compiled-response.ts'
import type { Handler } from '../../../mock/engine/context.ts'
import { ServerError } from '../../../mock/index.ts'
import { mockPage } from '../../../mock/mounts/playwright.ts'
import { respondToRoute } from '../../../mock/mounts/playwright-route.ts'
import { mergedUsage, obligationsOf, readUsage } from '../../../spec/index.ts'
import { launchOptions } from '../../browser.ts'
import { emptyFolder } from '../../folder.ts'
import { contracts } from '../../spec/contracts.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const server = 'https://store.example.test'

let browserServer: BrowserServer
let browser: Browser

// One browser for these tests and for those that Playwright's runner runs.
beforeAll(async () => {
  browserServer = await chromium.launchServer(await launchOptions())
  browser = await chromium.connect(browserServer.wsEndpoint())
}, 600_000)

afterAll(async () => {
  await browser?.close()
  await browserServer?.close()
})

type Result = {
  readonly status: string
  readonly errors: readonly { readonly message: string }[]
}
type Suite = {
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly { readonly results: readonly Result[] }[]
  }[]
  readonly suites?: readonly Suite[]
}

/** Runs tests/mock/pages with Playwright's runner. Returns the errors of each test. */
const runPages = async (usageFolder: string): Promise<Readonly<Record<string, readonly string[]>>> => {
  const program = join(root, 'node_modules/playwright/cli.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'test', '--config', 'tests/mock/pages', '--reporter', 'json', '--output', emptyFolder()],
    {
      cwd: root,
      env: {
        ...process.env,
        BROWSER_ENDPOINT: browserServer.wsEndpoint(),
        USAGE_FOLDER: usageFolder,
        NO_COLOR: '1',
      },
      maxBuffer: 2 ** 26,
    },
  ).catch((error: { stdout: string }) => error)
  const { suites } = JSON.parse(stdout) as { readonly suites: readonly Suite[] }
  const specs = (suite: Suite): NonNullable<Suite['specs']> => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specs),
  ]
  return Object.fromEntries(
    suites
      .flatMap(specs)
      .map(({ title, tests }) => [
        title,
        tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message))),
      ]),
  )
}

test('a test fails at its end if its pages broke the contract, and only then', async () => {
  const folder = join(emptyFolder(), 'usage')
  const errors = await runPages(folder)
  expect(errors).toEqual({
    'a page that conforms to the contract': [],
    'a page that breaks the contract in every way': [drift],
    'an invalid body that is allowed': [],
    'a scenario of one test': [],
    'an answer of one test': [],
    'an answer that breaks the contract': [brokenAnswer],
    'a server below a path of the base URL': [],
  })
  // Each test with this mock wrote what its pages used, also if it failed.
  const usages = readdirSync(folder).map(name =>
    readUsage(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  )
  expect(usages).toHaveLength(6)
  const { operations } = mergedUsage(usages.filter(usage => typeof usage !== 'string'))
  expect(Object.keys(operations)).toEqual(['POST /plants'])
  expect(operations['POST /plants']?.sent).toMatchObject({ 'body/id': expect.any(Number) })
}, 120_000)

const requirementOf = (id: string): string => {
  const { requirement, clause } =
    obligationsOf(contracts.plantStore).find(obligation => obligation.id === id) ?? {}
  return `${requirement}\n   document: ${clause?.place.file}:${clause?.place.line}`
}

const drift = `DriftError: the client broke the contract 4 times

1. createPlant/request/body/id/type/numeral: /id must be an integer
   request: POST /plants, answered 400
   requirement: ${requirementOf('createPlant/request/body/id/type/numeral')}
   body: {"id":"1","name":null}
2. createPlant/auth/absent: credentials are missing
   request: POST /plants, answered 400
   requirement: ${requirementOf('createPlant/auth/absent')}
   body: {"id":1,"name":"Fern"}
3. POST /plant: the path is not declared
   request: POST /plant, answered 404
   body: {"id":1,"name":"Fern"}
4. DELETE /plants: this path does not declare the method
   request: DELETE /plants?all, answered 405
   body: ${'x'.repeat(400)}… (500 bytes)

If this is intended: allow('createPlant/request/body/id/type/numeral', 'createPlant/auth/absent', 'POST /plant', 'DELETE /plants')`

const brokenAnswer = `DriftError: an answer of the mock broke the contract once

1. createPlant/answer: the answer 200 breaks the contract: /name must be a string, not 5; change it, or add undeclared: true to break the contract on purpose
   request: POST /plants, answered 500
   body: {"id":1,"name":"Fern"}

If this is intended: allow('createPlant/answer')`

/** The result of a fetch by the page. */
const fetched = (page: Page, url: string, timeoutMs = 20_000): Promise<string> =>
  page.evaluate(
    `fetch(${JSON.stringify(url)}, { signal: AbortSignal.timeout(${timeoutMs}) })
      .then(response => response.text(), error => error.name)`,
  )

test.each([
  [null, 'whole'],
  ['reset', 'TypeError'],
  ['truncate', 'TypeError'],
  ['hang', 'TimeoutError'],
] as const)('to a page, a response with the fault %s is %s', async (fault, seen) => {
  const page = await browser.newPage()
  const response: MockResponse = { status: 200, headers: [], body: new TextEncoder().encode('whole') }
  const targets: string[] = []
  const listening = new Promise(resolve => page.on('requestfailed', resolve))
  await page.route('**', async route => {
    if (route.request().resourceType() === 'document') return route.fulfill({ body: '' })
    const handle: Handler = context => {
      targets.push(context.request.target)
      context.fault = fault
      return response
    }
    await respondToRoute(handle, route, { target: '/below', base: '' }, 10)
  })
  await page.goto(server)
  expect(await fetched(page, `${server}/v1/below`, fault === 'hang' ? 300 : undefined)).toBe(seen)
  await expect.poll(() => targets).toEqual(['/below'])
  if (seen === 'TypeError') await listening
  await page.close()
})

test('headers of one name reach the page as one, and each cookie by itself', async () => {
  const page = await browser.newPage()
  const headers = [
    ['Set-Cookie', 'a=1'],
    ['X-A', '1'],
    ['Set-Cookie', 'b=2'],
    ['x-a', '2'],
  ] as const
  const mockResponse: MockResponse = { status: 200, headers, body: new Uint8Array() }
  await page.route('**', route => respondToRoute(() => mockResponse, route, { target: '/', base: '' }, 10))
  const response = await page.goto(server)
  expect(await response?.headerValue('x-a')).toBe('1, 2')
  expect((await page.context().cookies()).map(({ name, value }) => [name, value])).toEqual([
    ['a', '1'],
    ['b', '2'],
  ])
  await page.close()
})

// Playwright responds to preflights, and lets every origin read what it fulfills.
test('pages of other origins can use the mock', async () => {
  const page = await browser.newPage()
  const mock = await mockPage(page, { contract: contracts.plantStore, server })
  await page.route('https://shop.example.test/', route =>
    route.fulfill({ contentType: 'text/html', body: '' }),
  )
  await page.goto('https://shop.example.test/')
  const init = '{ method: "PUT", headers: { "X-Other": "a" } }'
  const result = await page.evaluate(
    `fetch('${server}/nowhere', ${init}).then(async response => [response.headers.get('content-type'), await response.text()])`,
  )
  expect(result).toEqual(['application/json', '{"error":40,"message":"this path is not declared"}'])
  expect(mock.broken().map(({ name }) => name)).toEqual(['PUT /nowhere'])
  await page.close()
})

test('without an origin, the error says which option to set', async () => {
  const page = await browser.newPage()
  await expect(mockPage(page, { contract: contracts.plantStore })).rejects.toThrow(
    new ServerError(
      'Plant Store is served below /, but on which origin? Give the option server an absolute URL',
    ),
  )
  await page.close()
})

test('after the mock is closed, requests go where they went before', async () => {
  const page = await browser.newPage()
  await page.route(`${server}/**`, route => route.fulfill({ body: 'before' }))
  const mock = await mockPage(page, { contract: contracts.plantStore, server })
  await page.goto(`${server}/start`)
  expect(await fetched(page, `${server}/nowhere`)).toContain('"error":40')
  await mock.close()
  expect(await fetched(page, `${server}/nowhere`)).toBe('before')
  expect(mock.requests).toHaveLength(1)
  expect(mock.check).toThrow('the client broke the contract once')
  // It was told.
  mock.check()
  await page.close()
})
