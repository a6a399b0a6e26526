import { type Headers, header } from '../../spec/index.ts'

/** Names that nobody can register, so that no page of the internet has one (RFC 6761, 6762, 8375 and .internal). */
const reserved = /(?:^|\.)(?:localhost|local|internal|test|home\.arpa)$/

/**
 * Whether the Host of a request is an address, a name without a dot, a reserved name, or `own`. A page whose name was made to
 * lead to this machine (DNS rebinding) has another one, and to its browser the mock is the page's own server.
 */
export const isLocalHost = (headers: Headers, own: string): boolean => {
  const host = header(headers, 'host')?.toLowerCase() ?? ''
  if (host.startsWith('[')) return true
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '')
  return !name.includes('.') || /^[\d.]+$/.test(name) || reserved.test(name) || name === own.toLowerCase()
}
