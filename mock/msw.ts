/** The mock as request handlers of Mock Service Worker. */
import { type HttpHandler, http } from 'msw'
import type { Contract } from '../spec/index.ts'
import { buildMock } from './build.ts'
import { answerWith, type HandlerOptions, mostBodyBytes } from './fetch.ts'
import type { Journal } from './journal.ts'
import type { Scenarios } from './scenario/scenarios.ts'
import { baseOf, basesOf } from './servers.ts'

export type MswOptions = HandlerOptions & {
  /** The URL that the contract's paths are below. Default: the servers of the document. */
  readonly server?: string
}

/** To be spread into `setupServer`; with the journal, for what was asked, and the scenarios. */
export type Handlers = readonly HttpHandler[] & {
  readonly contract: Contract
  readonly journal: Journal
  readonly scenarios: Scenarios
}

/**
 * Makes request handlers that answer all below the URL of the server as the mock does; others go where they went. Throws
 * DocumentError, and ServerError where no URL is known.
 *
 * @example
 * const server = setupServer(...(await createHandlers({ server: 'https://store.test' })))
 */
export const createHandlers = async (options: MswOptions = {}): Promise<Handlers> => {
  const { engine, ...rest } = await buildMock(options)
  const bases = basesOf(
    rest.contract,
    options.server,
    (globalThis as { location?: { href: string } }).location?.href,
  )
  const answer = answerWith(engine, options.maxBodyBytes ?? mostBodyBytes)
  const handler = http.all(
    ({ request }) => baseOf(bases, new URL(request.url)) !== null,
    ({ request }) => answer(request, baseOf(bases, new URL(request.url))?.path ?? ''),
  )
  return Object.assign([handler], rest)
}
