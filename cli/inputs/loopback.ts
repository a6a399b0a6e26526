import { BlockList, isIP } from 'node:net'

const addresses = new BlockList()
addresses.addSubnet('127.0.0.0', 8)
addresses.addAddress('::1', 'ipv6')

/** Whether the host of a URL is this machine itself. */
export const isLoopback = ({ hostname }: URL): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(host)
  return version === 0
    ? host === 'localhost' || host.endsWith('.localhost')
    : addresses.check(host, version === 6 ? 'ipv6' : 'ipv4')
}
