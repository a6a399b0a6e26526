import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

// Loopback and private addresses; not link-local ones, where clouds have the credentials of a machine.
const near = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(network, bits, 'ipv4')
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')

/** Whether an address is of this machine or of a private network. */
export const isNear = (address: string): boolean => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return isNear(mapped)
  const family = isIP(address)
  return family !== 0 && near.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Why nothing is sent to a URL; null: it may be. Names are looked up when the connection is made, by `nearOnly`. */
export const refusalOf = (url: string, hosts: readonly string[]): string | null => {
  if (!URL.canParse(url)) return `${JSON.stringify(url.slice(0, 200))} is not an absolute URL`
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return `${protocol} is neither http nor https`
  if (username !== '' || password !== '') return 'the URL has credentials'
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isListed(host, hosts) || isIP(host) === 0 || isNear(host)) return null
  return refusalOfHost(host)
}

export const isListed = (host: string, hosts: readonly string[]): boolean =>
  hosts.some(each => each.toLowerCase() === host.toLowerCase())

const refusalOfHost = (host: string): string =>
  `${host} is neither of this machine nor of a private network: --callback-hosts ${host} allows it`

/** Looks up a name, and fails unless all of its addresses are near: a name may lead anywhere, and somewhere else the next time. */
export const nearOnly: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error !== null || first === undefined) {
      done(error ?? new Error(`${hostname} has no address`), '', 4)
      return
    }
    if (!addresses.every(({ address }) => isNear(address))) done(new Error(refusalOfHost(hostname)), '', 4)
    else if (options.all === true) done(null, addresses)
    else done(null, first.address, first.family)
  })
}
