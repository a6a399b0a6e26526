import { BlockList, isIP } from 'node:net'
import { getProxyForUrl } from 'proxy-from-env'
import { UsageError } from '../process/exit.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name for a server; never one to this machine itself,
 * which a proxy elsewhere cannot reach. Throws UsageError where it is none.
 */
export const environmentProxy = (server: URL): URL | undefined => {
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const version = isIP(host)
  const own =
    version === 0
      ? host === 'localhost' || host.endsWith('.localhost')
      : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4')
  const text = own ? '' : getProxyForUrl(server.href)
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !isProxy(url))
    throw new UsageError(
      `the proxy that the environment names for ${server.origin} is no http or https URL: give another with --proxy, or leave it out with NO_PROXY`,
    )
  return url
}

export const isProxy = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'
