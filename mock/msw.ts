/** The mock as request handlers of Mock Service Worker. */
import { type HttpHandler, http } from 'msw'
import { buildMock } from './build.ts'
import { answerWith, type HandlerOptions, mostBodyBytes } from './fetch.ts'
import { contractOf, type Mounted, mounted } from './mounted.ts'
import { baseOf, basesOf } from './servers.ts'

export type MswOptions = HandlerOptions & {
  /** The URL that the contract's paths are below. Default: the servers of the document. */
  readonly server?: string
}

/** To be spread into `setupServer`; with the journal, for what was asked, and the scenarios. */
export type Handlers = readonly HttpHandler[] & Mounted

/**
 * Makes request handlers that answer all below the URL of the server as the mock does; others go where they went. Throws
 * DocumentError, and ServerError where no URL is known.
 *
 * @example
 * const server = setupServer(...(await createHandlers({ server: 'https://store.test' })))
 */
export const createHandlers = async (options: MswOptions = {}): Promise<Handlers> => {
  const built = await buildMock(options)
  const page = (globalThis as { location?: { href: string } }).location?.href
  const bases = basesOf(contractOf(built), options.server, page)
  const answer = answerWith(built.engine, options.maxBodyBytes ?? mostBodyBytes)
  const handler = http.all(
    ({ request }) => baseOf(bases, new URL(request.url)) !== null,
    ({ request }) => answer(request, baseOf(bases, new URL(request.url))?.path ?? ''),
  )
  return mounted([handler], built)
}
