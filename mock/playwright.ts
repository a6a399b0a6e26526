/** The mock as a fixture of Playwright tests. Nothing of Playwright is loaded: its objects are handed in. */
import type { BrowserContext, Page, Route, TestType } from 'playwright/test'
import { type Contract, createRouter } from '../spec/index.ts'
import { buildMock } from './build.ts'
import { type HandlerOptions, mostBodyBytes } from './fetch.ts'
import type { Entry, Journal } from './journal.ts'
import { contractOf } from './mounted.ts'
import { answerRoute } from './route.ts'
import type { Scenarios } from './scenario/scenarios.ts'
import { baseOf, basesOf, targetBelow } from './servers.ts'
import { type Broken, createWatch } from './watch.ts'

export type PageOptions = HandlerOptions & {
  /**
   * The URL that the pages find the contract's paths below, whole or relative to Playwright's `baseURL`. Default: the
   * servers of the document, or `baseURL` where it names none.
   */
  readonly server?: string
}

export type PageMock = {
  readonly contract: Contract
  readonly journal: Journal
  /** What operations do other than answer as they should. */
  readonly scenarios: Scenarios
  /** The last 500 requests, oldest first. */
  readonly requests: readonly Entry[]
  /** What the pages broke so far and may not. */
  readonly broken: () => readonly Broken[]
  /**
   * Lets the pages break what has one of these names, or a name below one: the id of an obligation, or method and path
   * of what is not declared (`GET /unknown`).
   */
  readonly allow: (...names: readonly string[]) => void
  /** Throws DriftError where the pages broke what they may not. */
  readonly check: () => void
  /** Waits for the answers that are under way; later requests go where they went before. */
  readonly close: () => Promise<void>
}

/**
 * A test whose pages talk to a mock of its own, as the fixture `mock`. It fails at its end where they broke the contract.
 * Throws DocumentError and ServerError.
 *
 * @example
 * import { test as base } from '@playwright/test'
 * const test = withMock(base, { server: 'https://store.test' })
 * test('a plant is added', async ({ page, mock }) => { … })
 */
export const withMock = <T extends Given, W extends object>(
  test: TestType<T, W>,
  options: PageOptions = {},
): TestType<T & { mock: PageMock }, W> => {
  // A document is read once for all tests of a worker.
  let contract = options.contract
  const given = test as unknown as TestType<Given, object>
  return given.extend<{ mock: PageMock }>({
    mock: [
      async ({ context, baseURL }, use) => {
        const mock = await mockPage(
          context,
          { ...options, ...(contract === undefined ? {} : { contract }) },
          baseURL,
        )
        contract = mock.contract
        await use(mock)
        await mock.close()
        mock.check()
      },
      { auto: true },
    ],
  }) as unknown as TestType<T & { mock: PageMock }, W>
}

type Given = { context: BrowserContext; baseURL: string | undefined }

/**
 * Answers what a page, or all pages of a context, ask of the contract's server; for tests that Playwright does not run.
 * `baseURL`: what a relative URL of a server stands below.
 */
export const mockPage = async (
  pages: Page | BrowserContext,
  options: PageOptions = {},
  baseURL?: string,
): Promise<PageMock> => {
  const built = await buildMock(options)
  const { engine, journal, scenarios } = built
  const contract = contractOf(built)
  const bases = basesOf(contract, options.server, baseURL)
  const watch = createWatch({ contract, journal })
  const isDeclared = declares(contract)
  const underWay = new Set<Promise<void>>()
  const isBelow = (url: URL): boolean => baseOf(bases, url) !== null
  const answer = async (route: Route): Promise<void> => {
    const url = new URL(route.request().url())
    const target = targetBelow(baseOf(bases, url)?.path ?? '', url)
    if (isOfPage(route) && !isDeclared(route.request().method(), target)) return route.fallback()
    return answerRoute(engine, route, target, options.maxBodyBytes ?? mostBodyBytes)
  }
  const handle = (route: Route): Promise<void> => {
    const done = answer(route).finally(() => underWay.delete(done))
    underWay.add(done)
    return done
  }
  await pages.route(isBelow, handle)
  return {
    contract,
    journal,
    scenarios,
    get requests() {
      return journal.entries()
    },
    broken: watch.broken,
    allow: watch.allow,
    check: watch.check,
    close: async () => {
      await pages.unroute(isBelow, handle)
      await Promise.allSettled(underWay)
      watch.stop()
      await built.close()
    },
  }
}

const declares = (contract: Contract): ((method: string, target: string) => boolean) => {
  const router = createRouter(contract)
  return (method, target) => router(method, target.split('?')[0] ?? '').kind === 'operation'
}

// What a page is made of may stand on the server of its contract: it is no call of the interface.
const parts = new Set(['document', 'stylesheet', 'script', 'image', 'font', 'media', 'manifest', 'texttrack'])

const isOfPage = (route: Route): boolean => parts.has(route.request().resourceType())
