/** The mock as a plugin of Vite, for its dev server and its preview. */
import { resolve } from 'node:path'
import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { isNetwork } from '../../spec/index.ts'
import { adminPrefix } from '../documents/documents.ts'
import { createMiddleware, type Middleware, type MiddlewareOptions } from './middleware.ts'

export type ViteMockOptions = Omit<MiddlewareOptions, 'contract'> & {
  /** The document: a path relative to Vite's root, or a URL. Default: the plant store's. */
  readonly spec?: string | undefined
}

/**
 * Serves a mock from Vite's own server, so that pages need neither a proxy nor another port. Files of documents are watched
 * unless `watch` is false. Without a `prefix`, what the document does not declare goes to Vite.
 *
 * @example
 * export default defineConfig({ plugins: [plantstoreMock({ spec: 'openapi.yaml', prefix: '/api' })] })
 */
export const plantstoreMock = (options: ViteMockOptions = {}): Plugin => {
  const open = new Set<Middleware>()
  const close = async (): Promise<void> => {
    const all = [...open]
    open.clear()
    await Promise.all(all.map(mock => mock.close()))
  }
  const attach = async (server: ViteDevServer | PreviewServer): Promise<void> => {
    const mock = await createMiddleware(optionsFor(options, server))
    open.add(mock)
    server.middlewares.use(mock)
    // A preview calls no hook when it ends, and a dev server in middleware mode has no server of its own.
    server.httpServer?.once('close', () => void close())
    void mock.ready().catch(() => {})
    sayAddress(server, mock)
  }
  return {
    name: 'plantstore-mock',
    configureServer: attach,
    configurePreviewServer: attach,
    closeBundle: close,
  }
}

const optionsFor = (
  { spec, prefix, documents = {}, ...rest }: ViteMockOptions,
  { config }: ViteDevServer | PreviewServer,
): MiddlewareOptions => {
  const place = (from: string): string => (isNetwork(from) ? from : resolve(config.root, from))
  const { host } = config.server
  const more = Object.entries(documents).map(
    ([at, from]) => [at, typeof from === 'string' ? place(from) : from] as const,
  )
  const sources = [...(spec === undefined ? [] : [spec]), ...more.map(([, from]) => from)]
  return {
    watch: sources.length > 0 && sources.every(from => typeof from === 'string' && !isNetwork(from)),
    fallthrough: prefix === undefined,
    host: typeof host === 'string' ? host : undefined,
    warn: message => config.logger.warn(message),
    ...rest,
    prefix,
    contract: spec === undefined ? undefined : place(spec),
    documents: Object.fromEntries(more),
  }
}

/** Adds the addresses of the mock to those that Vite prints. */
const sayAddress = (server: ViteDevServer | PreviewServer, mock: Middleware): void => {
  const print = server.printUrls.bind(server)
  server.printUrls = () => {
    print()
    const [url] = [...(server.resolvedUrls?.local ?? []), ...(server.resolvedUrls?.network ?? [])]
    if (url === undefined) return
    const { origin } = new URL(url)
    for (const { prefix, contract } of mock.documents)
      server.config.logger.info(`  mock of ${contract.title}: ${origin}${prefix || '/'}`)
    server.config.logger.info(`  console of the mock: ${origin}${adminPrefix}/`)
  }
}
