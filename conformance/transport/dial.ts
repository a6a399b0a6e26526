import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, connect as netConnect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls'
import type { Access } from './access.ts'

/** Opens a connection that speaks to the server. Rejects where there is none in time; see `failureOf`. */
export type Dial = () => Promise<Socket>

export type Dials = {
  /** The usual one. */
  readonly usual: Dial
  /** To the server itself, through a tunnel where there is a proxy: what is sent is what the server gets. */
  readonly direct: Dial
  /** Whether `usual` ends at a proxy, which wants to be told the whole URL (RFC 9112 3.2.2). */
  readonly forwarded: boolean
}

/** Every way of sending opens its connections here, so that proxy and certificates are one for all. */
export const createDials = (base: URL, access: Access): Dials => {
  const secure = base.protocol === 'https:'
  const { proxy } = access
  const own: ConnectionOptions = {
    ...(access.cert === null ? {} : { cert: access.cert }),
    ...(access.key === null ? {} : { key: access.key }),
  }
  const plain: Dial = () => reached(base, access)
  const toServer = (below: Dial): Dial =>
    secure ? async () => secured(await below(), base, own, access) : below
  if (proxy === null) return { usual: toServer(plain), direct: toServer(plain), forwarded: false }
  const direct = toServer(() => tunnel(base, proxy, access))
  return { usual: secure ? direct : () => toProxy(proxy, access), direct, forwarded: !secure }
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** `Proxy-Authorization` of a proxy's URL; null where it has no credentials. */
export const proxyCredentials = ({ username, password }: URL): string | null =>
  username === '' && password === ''
    ? null
    : `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`

const troubles = new WeakMap<Socket, Error>()

/** The first thing that went wrong with a connection after it was opened. */
export const troubleOf = (socket: Socket | null): Error | null =>
  (socket === null ? undefined : troubles.get(socket)) ?? null

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })

const opened = (
  open: () => Socket,
  ready: 'connect' | 'secureConnect',
  { timeoutMs }: Access,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = open().setNoDelay(true)
    const timer = setTimeout(
      () => socket.destroy(failure('NO_CONNECTION', `no connection within ${timeoutMs} ms`)),
      timeoutMs,
    )
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer)
      reject(ready === 'connect' ? error : Object.assign(error, { code: `TLS ${error.code ?? ''}` }))
    }
    socket.once('error', fail)
    socket.once(ready, () => {
      clearTimeout(timer)
      socket.off('error', fail)
      // What goes wrong before anybody sends over it, such as a certificate that is missed after the handshake.
      socket.on('error', error => {
        if (!troubles.has(socket)) troubles.set(socket, error)
      })
      resolve(socket)
    })
  })

const reached = (url: URL, access: Access): Promise<Socket> =>
  opened(() => netConnect(portOf(url), hostOf(url)), 'connect', access)

/** Which certificates are trusted, by proxies as by servers. */
const trust = ({ insecure, ca }: Access): ConnectionOptions => ({
  rejectUnauthorized: !insecure,
  ...(ca === null ? {} : { ca }),
})

/** TLS over a connection; the client's own certificate (`own`) is shown to the server alone. */
const secured = (socket: Socket, url: URL, own: ConnectionOptions, access: Access): Promise<Socket> => {
  const name = hostOf(url)
  // A name is asked for by SNI; an address cannot be (RFC 6066 3), and is compared as it is.
  const names = isIP(name) === 0 ? { servername: name } : { host: name }
  const options = { ...trust(access), ...own, ...names, socket, ALPNProtocols: ['http/1.1'] }
  return opened(() => tlsConnect(options), 'secureConnect', access)
}

const throughProxy = (proxy: URL, problem: string): Error =>
  failure('NO_CONNECTION', `the proxy ${proxy.origin}: ${problem}`)

const toProxy = async (proxy: URL, access: Access): Promise<Socket> => {
  try {
    const socket = await reached(proxy, access)
    return proxy.protocol === 'http:' ? socket : await secured(socket, proxy, {}, access)
  } catch (error) {
    throw throughProxy(proxy, (error as Error).message)
  }
}

const tunnel = (base: URL, proxy: URL, access: Access): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest
    const target = `${base.hostname}:${portOf(base)}`
    const credentials = proxyCredentials(proxy)
    const outgoing = send({
      host: hostOf(proxy),
      port: portOf(proxy),
      method: 'CONNECT',
      path: target,
      headers: {
        Host: target,
        ...(credentials === null ? {} : { 'Proxy-Authorization': credentials }),
      },
      agent: false,
      ...trust(access),
    })
    const { timeoutMs } = access
    const timer = setTimeout(() => outgoing.destroy(new Error(`no tunnel within ${timeoutMs} ms`)), timeoutMs)
    const fail = (problem: string): void => {
      clearTimeout(timer)
      reject(throughProxy(proxy, problem))
    }
    outgoing.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy()
        fail(refusal(statusCode, target))
        return
      }
      clearTimeout(timer)
      socket.on('error', () => {})
      if (head.length > 0) socket.unshift(head)
      resolve(socket as Socket)
    })
    outgoing.once('response', response => {
      response.destroy()
      fail(refusal(response.statusCode ?? 0, target))
    })
    outgoing.once('error', error => fail(error.message))
    outgoing.end()
  })

const refusal = (status: number, target: string): string =>
  status === 407
    ? 'it asks for credentials (407): give them in its URL'
    : `it does not connect to ${target} (${status})`
