import { lookup } from 'node:dns'
import { type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Headers, HttpResponse } from '../../spec/index.ts'

export type Outgoing = {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array | null
}

const timeoutMs = 10_000
/** Of a longer answer, the rest is not read. */
const maxAnswerBytes = 1024 * 1024

/** Sends one request without following redirects. Rejects with what went wrong. */
export const send = (
  { url, method, headers, body }: Outgoing,
  hosts: readonly string[],
  closing: AbortSignal,
): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname } = new URL(url)
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)])
    const options = {
      method,
      headers: Object.fromEntries(headers),
      agent: false as const,
      signal,
      ...(isListed(hostname.replace(/^\[|\]$/g, ''), hosts) ? {} : { lookup: nearOnly }),
    }
    const failed = (error: Error): void =>
      reject(signal.aborted && !closing.aborted ? new Error(`no answer in ${timeoutMs / 1000} s`) : error)
    const answered = (response: IncomingMessage): void => {
      const chunks: Buffer[] = []
      let size = 0
      const end = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: pairs(response.rawHeaders),
          body: Buffer.concat(chunks),
        })
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= maxAnswerBytes) chunks.push(chunk)
        else {
          end()
          response.destroy()
        }
      })
      response.on('end', end)
      response.on('error', failed)
    }
    const sent: ClientRequest = (protocol === 'https:' ? sendHttps : sendHttp)(url, options, answered)
    sent.on('error', failed)
    sent.end(body ?? undefined)
  })

const pairs = (raw: readonly string[]): Headers => {
  const found: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    found.push([raw[index] as string, raw[index + 1] as string])
  return found
}

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

const isListed = (host: string, hosts: readonly string[]): boolean =>
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
