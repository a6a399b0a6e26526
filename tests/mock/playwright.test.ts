import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Composed } from '../../mock/compose.ts'
import { mockPage } from '../../mock/playwright.ts'
import { answerRoute } from '../../mock/route.ts'
import { ServerError } from '../../mock/servers.ts'
import { launchBrowser, launchOptions } from '../browser.ts'
import { emptyFolder } from '../folder.ts'
import { contracts } from '../spec/contracts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const server = 'https://store.example.test'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
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

/** Runs tests/mock/pages by Playwright's own runner; gives what each test failed with. */
const runPages = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { executablePath } = await launchOptions()
  const program = join(root, 'node_modules/playwright/cli.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'test', '--config', 'tests/mock/pages', '--reporter', 'json', '--output', emptyFolder()],
    {
      cwd: root,
      env: { ...process.env, PLANTSTORE_BROWSER: executablePath, NO_COLOR: '1' },
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

test('a test fails at its end by what its pages broke of the contract, and by nothing else', async () => {
  const told = await runPages()
  expect(told).toEqual({
    'a page that keeps to the contract': [],
    'a page that breaks it in all ways': [drift],
    'a bad body that is meant': [],
    'a scenario of one test': [],
    'a server below a path of the base URL': [],
  })
}, 120_000)

const drift = `DriftError: the client broke the contract 4 times

1. createPlant/request/body/id/type/numeral: /id must be an integer
   POST /plants was answered 400
   promised: a number in quotation marks for \`id\` is refused: it is an integer
   sent: {"id":"1","name":null}
2. createPlant/auth/absent: credentials are missing
   POST /plants was answered 400
   promised: a request without credentials is refused with a declared failure
   sent: {"id":1,"name":"Fern"}
3. POST /plant: no such path is declared
   POST /plant was answered 404
   sent: {"id":1,"name":"Fern"}
4. DELETE /plants: no such method is declared on this path
   DELETE /plants?all was answered 405
   sent: ${'x'.repeat(400)}… (500 bytes)

Where this is meant: allow('createPlant/request/body/id/type/numeral', 'createPlant/auth/absent', 'POST /plant', 'DELETE /plants')`

/** The page's own account of a fetch. */
const fetched = (page: Page, url: string): Promise<string> =>
  page.evaluate(
    `fetch(${JSON.stringify(url)}, { signal: AbortSignal.timeout(300) })
      .then(response => response.text(), error => error.name)`,
  )

test.each([
  [{}, 'whole'],
  [{ fate: 'reset' }, 'TypeError'],
  [{ fate: 'truncate' }, 'TypeError'],
  [{ fate: 'hang' }, 'TimeoutError'],
] as const)('an answer with %j is seen by the page as %s', async (ending, seen) => {
  const page = await browser.newPage()
  const answer: Composed = { status: 200, headers: [], body: new TextEncoder().encode('whole'), ...ending }
  const asked: string[] = []
  const listening = new Promise(resolve => page.on('requestfailed', resolve))
  await page.route('**', async route => {
    if (route.request().resourceType() === 'document') return route.fulfill({ body: '' })
    const engine = async ({ target }: { readonly target: string }) => {
      asked.push(target)
      return answer
    }
    await answerRoute(engine, route, '/below', 10)
  })
  await page.goto(server)
  expect(await fetched(page, `${server}/v1/below`)).toBe(seen)
  expect(asked).toEqual(['/below'])
  if (seen === 'TypeError') await listening
  await page.close()
})

test('lines of one name reach the page as one, and each cookie as its own', async () => {
  const page = await browser.newPage()
  const headers = [
    ['Set-Cookie', 'a=1'],
    ['X-A', '1'],
    ['Set-Cookie', 'b=2'],
    ['x-a', '2'],
  ] as const
  const answer: Composed = { status: 200, headers, body: new Uint8Array() }
  await page.route('**', route => answerRoute(() => answer, route, '/', 10))
  const response = await page.goto(server)
  expect(await response?.headerValue('x-a')).toBe('1, 2')
  expect((await page.context().cookies()).map(({ name, value }) => [name, value])).toEqual([
    ['a', '1'],
    ['b', '2'],
  ])
  await page.close()
})

// Playwright answers preflights, and lets every origin read what it fulfills.
test('pages of other origins may use the server', async () => {
  const page = await browser.newPage()
  const mock = await mockPage(page, { contract: contracts.plantStore, server })
  await page.route('https://shop.example.test/', route =>
    route.fulfill({ contentType: 'text/html', body: '' }),
  )
  await page.goto('https://shop.example.test/')
  const init = '{ method: "PUT", headers: { "X-Other": "a" } }'
  const told = await page.evaluate(
    `fetch('${server}/nowhere', ${init}).then(async response => [response.headers.get('content-type'), await response.text()])`,
  )
  expect(told).toEqual(['application/json', '{"error":40,"message":"this path is not declared"}'])
  expect(mock.broken().map(({ name }) => name)).toEqual(['PUT /nowhere'])
  await page.close()
})

test('where no URL is known it says what to give', async () => {
  const page = await browser.newPage()
  await expect(mockPage(page, { contract: contracts.plantStore })).rejects.toThrow(
    new ServerError(
      'no origin is known for / that Plant Store is served below: give the option server a whole URL',
    ),
  )
  await page.close()
})

test('after it is closed, requests go where they went before', async () => {
  const page = await browser.newPage()
  await page.route(`${server}/**`, route => route.fulfill({ body: 'before' }))
  const mock = await mockPage(page, { contract: contracts.plantStore, server })
  await page.goto(`${server}/start`)
  expect(await fetched(page, `${server}/nowhere`)).toContain('"error":40')
  await mock.close()
  expect(await fetched(page, `${server}/nowhere`)).toBe('before')
  expect(mock.requests).toHaveLength(1)
  expect(mock.check).toThrow('the client broke the contract once')
  await page.close()
})
