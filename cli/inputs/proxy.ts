import { getProxyForUrl } from 'proxy-from-env'
import { isHttp } from '../options/parse.ts'
import { UsageError } from '../process/exit.ts'
import { isLoopback } from './loopback.ts'

/**
 * The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name for a server. Loopback addresses have none, as a proxy on
 * another machine cannot reach them. Throws UsageError if its URL is not http or https.
 */
export const environmentProxy = (server: URL): URL | undefined => {
  const text = isLoopback(server) ? '' : getProxyForUrl(server.href)
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !isHttp(url))
    throw new UsageError(
      `the environment’s proxy for ${server.origin} is not an http or https URL: give another with --proxy, or exclude the server with NO_PROXY`,
    )
  return url
}
