/** The mock as request handlers of Mock Service Worker. */
import { type HttpHandler, http } from 'msw'
import type { AnyOperations } from '../answers/operation-types.ts'
import { buildMock } from './build.ts'
import { contractOf, type Mounted, mounted, respondWith } from './fetch-handler.ts'
import { type HandlerOptions, settingsOf } from './options.ts'
import { baseOf, basesOf } from './playwright-route.ts'

export type MswOptions = HandlerOptions & {
  /** The URL that the paths of the contract are below. Default: the servers of the document. */
  readonly server?: string
}

/** To be spread into `setupServer`; with the journal and the scenarios of the mock. */
export type Handlers<O extends object = AnyOperations> = readonly HttpHandler[] & Mounted<O>

/**
 * Makes request handlers that respond to all requests below the URL of the server as the mock does; other requests go
 * where they went before. Throws DocumentError, and ServerError if no URL is known.
 *
 * @example
 * const server = setupServer(...(await createHandlers({ server: 'https://store.test' })))
 */
export const createHandlers = async <O extends object = AnyOperations>(
  options: MswOptions = {},
): Promise<Handlers<O>> => {
  const settings = settingsOf(options)
  const built = await buildMock(settings)
  const page = (globalThis as { location?: { href: string } }).location?.href
  const bases = basesOf(contractOf(built), options.server, page)
  const respond = respondWith(built.handle, settings.maxBodyBytes)
  const handler = http.all(
    ({ request }) => baseOf(bases, new URL(request.url)) !== null,
    ({ request }) => respond(request, baseOf(bases, new URL(request.url))?.path ?? ''),
  )
  return mounted([handler], built)
}
