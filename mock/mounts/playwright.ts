/** The mock as a fixture of Playwright tests. Playwright itself is not loaded: its objects are passed in. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  BrowserContext,
  Page,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  Route,
  TestType,
} from 'playwright/test'
import { type Contract, createRouter, type Usage } from '../../spec/index.ts'
import type { AnyOperations } from '../answers/operation-types.ts'
import { catalogOf } from '../console/served-operations.ts'
import { createUsage } from '../console/usage.ts'
import { memoize } from '../memo.ts'
import type { Journal } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import type { Scenarios } from '../scenarios/scenarios.ts'
import type { State } from '../state/state.ts'
import { type Answering, createAnswer } from './answer.ts'
import { buildMock, type Webhook } from './build.ts'
import { createWatch, type Drift } from './drift.ts'
import { contractOf } from './fetch-handler.ts'
import { type HandlerOptions, settingsOf } from './options.ts'
import { baseOf, basesOf, respondToRoute, targetBelow } from './playwright-route.ts'

export type PageOptions = HandlerOptions & {
  /**
   * The URL below which pages find the paths of the contract, whole or relative to Playwright's `baseURL`. Default: the
   * servers of the document, or `baseURL` if it names none.
   */
  readonly server?: string
}

/** Of tests that Playwright runs. */
export type TestOptions = PageOptions & {
  /** A folder, in which each test writes what its pages used of the contract, for `plantstore evolve --used-by`. Default: none is written. */
  readonly usage?: string
}

export type PageMock<O extends object = AnyOperations> = Answering<O> & {
  readonly contract: Contract
  readonly journal: Journal
  /** Switches what operations do instead of their usual behaviour. */
  readonly scenarios: Scenarios
  /** What is kept, with the option `stateful`; null: nothing is. */
  readonly state: State | null
  /** `expire` ends the tokens that responses gave so far. */
  readonly tokens: { readonly expire: () => void }
  /** Sends a webhook of the document, by its name. */
  readonly webhook: Webhook
  /** The last 500 requests, oldest first. */
  readonly requests: readonly PageRequest[]
  /** What the pages used of the contract so far: the operations, the parts of requests, and the places of responses. */
  readonly usage: () => Usage
  /** How the pages broke the contract so far, but for what is allowed. */
  readonly broken: () => readonly Drift[]
  /**
   * Allows pages to break what has one of these names or a name below one: the id of an obligation, or the method and
   * path of an undeclared request (`GET /unknown`).
   */
  readonly allow: (...names: readonly string[]) => void
  /** Throws DriftError if the pages broke what is not allowed, and was not told before. */
  readonly check: () => void
  /** Waits for responses that are under way; later requests go where they went before. */
  readonly close: () => Promise<void>
}

export type PageRequest = Entry & {
  /** The body as `JSON.parse` reads it. Throws a SyntaxError if it is not JSON, or larger than the 64 KiB that are kept. */
  readonly json: () => unknown
}

/**
 * A test whose pages use a mock of their own, the fixture `mock`. The test fails at its end if they broke the contract.
 * Throws DocumentError and ServerError.
 *
 * @example
 * import { test as base } from '@playwright/test'
 * const test = withMock(base, { server: 'https://store.test' })
 * test('a plant is added', async ({ page, mock }) => { … })
 */
export const withMock: WithMock = <T extends PageFixtures, W extends object>(
  test: TestType<T, W>,
  { usage, ...options }: TestOptions = {},
): TestType<T & { mock: PageMock }, W> => {
  // A document is read once for all tests of a worker.
  let contract = options.contract
  const base = test as unknown as TestType<PageFixtures, object>
  return base.extend<{ mock: PageMock }>({
    mock: [
      async ({ context, baseURL }, use, { testId }) => {
        const mock = await mockPage(
          context,
          { ...options, ...(contract === undefined ? {} : { contract }) },
          baseURL,
        )
        contract = mock.contract
        await use(mock)
        await mock.close()
        if (usage !== undefined) writeUsage(usage, testId, mock.usage())
        mock.check()
      },
      { auto: true },
    ],
  }) as unknown as TestType<T & { mock: PageMock }, W>
}

type WithMock = {
  <T extends PageFixtures, W extends object>(
    test: TestType<T, W>,
    options?: TestOptions,
  ): TestType<T & { mock: PageMock }, W>
  /** With the types of the operations: `withMock<operations>(test)`, or all three for a test with fixtures of its own. */
  <
    O extends object,
    T extends PageFixtures = PlaywrightTestArgs & PlaywrightTestOptions,
    W extends object = PlaywrightWorkerArgs & PlaywrightWorkerOptions,
  >(
    test: TestType<T, W>,
    options?: TestOptions,
  ): TestType<T & { mock: PageMock<O> }, W>
}

/** A file for each test, so that workers do not write into one. */
const writeUsage = (folder: string, test: string, usage: Usage): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${test}.json`), `${JSON.stringify(usage)}\n`)
}

type PageFixtures = { context: BrowserContext; baseURL: string | undefined }

/**
 * Responds to what a page, or all pages of a context, request from the server of the contract; for tests that Playwright
 * does not run. `baseURL`: the base of a relative server URL.
 */
export const mockPage = async <O extends object = AnyOperations>(
  pages: Page | BrowserContext,
  options: PageOptions = {},
  baseURL?: string,
): Promise<PageMock<O>> => {
  const settings = settingsOf(options)
  const built = await buildMock(settings)
  const { handle, journal, scenarios, state, tokens, webhook } = built
  const contract = contractOf(built)
  const bases = basesOf(contract, options.server, baseURL)
  const watch = createWatch({ contract, journal })
  const { documents, unauthenticated } = built.admin
  const catalog = memoize(documents, current => catalogOf(current, unauthenticated))
  const usage = createUsage(journal, id => catalog().operations.get(id))
  // The allowances of a test last until its end, also if it checks before.
  const allowed: string[] = []
  const isDeclared = declares(contract)
  const underWay = new Set<Promise<void>>()
  const isBelow = (url: URL): boolean => baseOf(bases, url) !== null
  const respond = async (route: Route): Promise<void> => {
    const url = new URL(route.request().url())
    const base = baseOf(bases, url)?.path ?? ''
    const target = targetBelow(base, url)
    if (isPartOfPage(route) && !isDeclared(route.request().method(), target)) return route.fallback()
    return respondToRoute(handle, route, { target, base: url.origin + base }, settings.maxBodyBytes)
  }
  const onRoute = (route: Route): Promise<void> => {
    const done = respond(route).finally(() => underWay.delete(done))
    underWay.add(done)
    return done
  }
  await pages.route(isBelow, onRoute)
  return {
    contract,
    journal,
    scenarios,
    answer: createAnswer(scenarios) as Answering<O>['answer'],
    state,
    tokens,
    webhook,
    get requests() {
      return journal.entries().map(withJson)
    },
    usage: usage.report,
    broken: watch.broken,
    allow: (...names) => {
      allowed.push(...names)
      watch.allow(...names)
    },
    check: () => {
      try {
        watch.check()
      } finally {
        watch.allow(...allowed)
      }
    },
    close: async () => {
      await pages.unroute(isBelow, onRoute)
      await Promise.allSettled(underWay)
      watch.stop()
      await built.close()
    },
  }
}

const withJson = (entry: Entry): PageRequest => ({
  ...entry,
  json: () => JSON.parse(new TextDecoder().decode(entry.body ?? undefined)),
})

const declares = (contract: Contract): ((method: string, target: string) => boolean) => {
  const router = createRouter(contract)
  return (method, target) => router(method, target.split('?')[0] ?? '').kind === 'operation'
}

// The page itself may stand on the server of its contract; loading it is no call of the API.
const pageParts = new Set([
  'document',
  'stylesheet',
  'script',
  'image',
  'font',
  'media',
  'manifest',
  'texttrack',
])

const isPartOfPage = (route: Route): boolean => pageParts.has(route.request().resourceType())
