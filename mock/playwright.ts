/** The mock as a fixture of Playwright tests. Nothing of Playwright is loaded: its objects are handed in. */
import type { BrowserContext, Page, Route, TestType } from 'playwright/test'
import { type Contract, createRouter } from '../spec/index.ts'
import { buildMock } from './build.ts'
import type { Composed } from './compose.ts'
import type { Engine } from './engine.ts'
import { type HandlerOptions, mostBodyBytes } from './fetch.ts'
import type { Entry, Journal } from './journal.ts'
import { headersOf, isBodiless } from './respond.ts'
import { type Base, baseOf, basesOf } from './servers.ts'
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
  /** The last 500 requests, oldest first. */
  readonly requests: readonly Entry[]
  /** What the pages broke so far and may not. */
  readonly broken: () => readonly Broken[]
  /**
   * Lets the pages break what has one of these names, or a name below one: the id of an obligation, or method and path
   * of what is not declared (`GET /unknown`).
   */
  readonly allow: (...names: readonly string[]) => void
  /** Waits for the answers that are under way, and throws DriftError where the pages broke what they may not. */
  readonly check: () => Promise<void>
  /** Lets requests go where they went before. */
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
export const withMock = <
  T extends { context: BrowserContext; baseURL: string | undefined },
  W extends object,
>(
  test: TestType<T, W>,
  options: PageOptions = {},
): TestType<T & { mock: PageMock }, W> =>
  (test as unknown as TestType<{ context: BrowserContext; baseURL: string | undefined }, object>).extend<{
    mock: PageMock
  }>({
    mock: [
      async ({ context, baseURL }, use) => {
        const mock = await mockPage(context, options, baseURL)
        await use(mock)
        await mock.close()
        await mock.check()
      },
      { auto: true },
    ],
  }) as unknown as TestType<T & { mock: PageMock }, W>

/**
 * Answers what a page, or all pages of a context, ask of the contract's server; for tests that Playwright does not run.
 * `baseURL`: what a relative URL of a server stands below.
 */
export const mockPage = async (
  pages: Page | BrowserContext,
  options: PageOptions = {},
  baseURL?: string,
): Promise<PageMock> => {
  const { contract, engine, journal } = await buildMock(options)
  const bases = basesOf(contract, options.server, baseURL)
  const watch = createWatch({ contract, journal })
  const isDeclared = declares(contract)
  const underWay = new Set<Promise<void>>()
  const isBelow = (url: URL): boolean => baseOf(bases, url) !== null
  const answer = async (route: Route): Promise<void> => {
    const url = new URL(route.request().url())
    const target = targetOf(url, baseOf(bases, url))
    if (isOfPage(route) && !isDeclared(route.request().method(), target)) return route.fallback()
    const composed = await ask(engine, route, target, options.maxBodyBytes ?? mostBodyBytes)
    // What hangs is never answered, and the end of the page ends it.
    if (composed.fate !== 'hang') await deliver(route, composed)
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
    get requests() {
      return journal.entries()
    },
    broken: watch.broken,
    allow: watch.allow,
    check: async () => {
      await Promise.allSettled(underWay)
      watch.check()
    },
    close: async () => {
      await pages.unroute(isBelow, handle)
      await Promise.allSettled(underWay)
      watch.stop()
    },
  }
}

const targetOf = ({ pathname, search }: URL, base: Base | null): string =>
  pathname.slice(base?.path.length ?? 0) + search

const declares = (contract: Contract): ((method: string, target: string) => boolean) => {
  const router = createRouter(contract)
  return (method, target) => router(method, target.split('?')[0] || '/').kind === 'operation'
}

// What a page is made of may stand on the server of its contract: it is no call of the interface.
const parts = new Set(['document', 'stylesheet', 'script', 'image', 'font', 'media', 'manifest', 'texttrack'])

const isOfPage = (route: Route): boolean => parts.has(route.request().resourceType())

const ask = async (engine: Engine, route: Route, target: string, most: number): Promise<Composed> => {
  const request = route.request()
  const { host } = new URL(request.url())
  const headers = (await request.headersArray()).map(({ name, value }) => [name, value] as const)
  const body = request.postDataBuffer() ?? (/^(?:POST|PUT)$/.test(request.method()) ? new Uint8Array() : null)
  const tooLarge = body !== null && body.length > most
  return engine({
    method: request.method(),
    target,
    headers: headers.some(([name]) => name.toLowerCase() === 'host') ? headers : [['host', host], ...headers],
    body: tooLarge ? null : body,
    tooLarge,
    connection: request,
  })
}

const deliver = async (route: Route, answer: Composed): Promise<void> => {
  if (answer.fate === 'reset') return route.abort('connectionreset')
  // A route gives answers whole or not at all.
  if (answer.fate === 'truncate' || answer.stream !== undefined) return route.abort('connectionclosed')
  const isEmpty = isBodiless(answer.status) || route.request().method() === 'HEAD'
  await route.fulfill({
    status: answer.status,
    headers: joined(headersOf(answer)),
    ...(isEmpty ? {} : { body: Buffer.from(answer.body) }),
  })
}

/** One line for each name, as Playwright takes them; cookies do not join, and it knows of them by the line break. */
const joined = (headers: Composed['headers']): Record<string, string> => {
  const lines: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    lines[key] =
      lines[key] === undefined ? value : `${lines[key]}${key === 'set-cookie' ? '\n' : ', '}${value}`
  }
  return lines
}
