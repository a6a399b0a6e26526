import type { X509Certificate } from 'node:crypto'
import { request as httpsRequest } from 'node:https'
import { isIP, connect as netConnect, type Socket } from 'node:net'
import { type ConnectionOptions, type TLSSocket, connect as tlsConnect } from 'node:tls'
import type { ServerCertificate } from '../../../spec/index.ts'
import type { Access } from '../../options/access.ts'

/** The certificates that a server has shown, in the order of their first use. */
export type ServerCertificates = {
  /** Notes the certificate of a connection that was just opened. */
  readonly add: (socket: Socket) => void
  readonly all: () => readonly ServerCertificate[]
}

/** A balancer has a handful of them; a server that shows a new one each time must not fill the ledger. */
export const mostCertificates = 10
const mostCharacters = 400

const createServerCertificates = (): ServerCertificates => {
  const known = new Map<string, ServerCertificate>()
  return {
    add: socket => {
      if (known.size >= mostCertificates) return
      const { authorized, getPeerX509Certificate } = socket as TLSSocket
      const certificate = getPeerX509Certificate.call(socket)
      if (certificate === undefined || known.has(certificate.fingerprint256)) return
      known.set(certificate.fingerprint256, recordOf(certificate, authorized))
    },
    all: () => [...known.values()],
  }
}

const recordOf = (certificate: X509Certificate, isVerified: boolean): ServerCertificate => {
  const { subject, subjectAltName, issuer, validFromDate, validToDate, fingerprint256 } = certificate
  return {
    subject: nameText(subject),
    names: nameText(subjectAltName),
    issuer: nameText(issuer),
    from: validFromDate.toISOString(),
    to: validToDate.toISOString(),
    sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
    verified: isVerified,
  }
}

/** `CN=staging.example.test, O=ACME`; Node has a line for each part, and nothing at all for an empty name. */
const nameText = (name: string | undefined): string => {
  const text = (name ?? '').replaceAll('\n', ', ').toWellFormed()
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters).toWellFormed()}…` : text
}

/** Node's `node:http`. Imported as a module, it would load the client behind `fetch` as well. */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http')

/** Opens a connection. Rejects if there is none in time; see `failureOf`. */
export type Connect = () => Promise<Socket>

export type Connectors = {
  readonly usual: Connect
  /** To the server itself, through a tunnel if there is a proxy: the server gets the bytes as they are sent. */
  readonly direct: Connect
  /** Whether `usual` ends at a proxy, which needs the whole URL in the request line (RFC 9112 3.2.2). */
  readonly forwarded: boolean
  /** The certificates that the server itself has shown so far. */
  readonly certificates: () => readonly ServerCertificate[]
  /** Ends all connections, also those on which a response is awaited; no other can be opened. */
  readonly close: () => void
}

/** All ways of sending open their connections here, so that proxy and certificates are the same for all. */
export const createConnectors = (server: URL, access: Access): Connectors => {
  const { proxy, cert, key } = access
  const isSecure = server.protocol === 'https:'
  const clientCertificate: ConnectionOptions = {
    ...(cert === null ? {} : { cert }),
    ...(key === null ? {} : { key }),
  }
  const seen = createServerCertificates()
  const secureServer = async (socket: Socket): Promise<Socket> => {
    const secured = await secure(socket, server, clientCertificate, access)
    seen.add(secured)
    return secured
  }
  const overTls = (below: Connect): Connect => (isSecure ? async () => secureServer(await below()) : below)
  const certificates = seen.all
  const open = new Set<Socket>()
  let isClosed = false
  const kept =
    (connect: Connect): Connect =>
    async () => {
      if (isClosed) throw Object.assign(new Error('all connections were closed'), { code: 'ECONNREFUSED' })
      const socket = await connect()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      if (isClosed) socket.destroy()
      return socket
    }
  const close = (): void => {
    isClosed = true
    for (const socket of open) socket.destroy()
  }
  if (proxy === null) {
    const direct = kept(overTls(() => openTcp(server, access)))
    return { usual: direct, direct, forwarded: false, certificates, close }
  }
  const direct = kept(overTls(() => openTunnel(server, proxy, access)))
  return {
    usual: isSecure ? direct : kept(() => openProxy(proxy, access)),
    direct,
    forwarded: !isSecure,
    certificates,
    close,
  }
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** The `Proxy-Authorization` for a proxy's URL; null if the URL has no credentials. */
export const proxyCredentials = ({ username, password }: URL): string | null =>
  username === '' && password === ''
    ? null
    : `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`

const socketErrors = new WeakMap<Socket, Error>()

/** The first error of a connection after it was opened. */
export const socketErrorOf = (socket: Socket | null): Error | null =>
  (socket === null ? undefined : socketErrors.get(socket)) ?? null

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
      // A server may miss a certificate only after the handshake, before anybody sends a request.
      socket.on('error', error => {
        if (!socketErrors.has(socket)) socketErrors.set(socket, error)
      })
      resolve(socket)
    })
  })

const openTcp = (url: URL, access: Access): Promise<Socket> =>
  opened(() => netConnect(portOf(url), hostOf(url)), 'connect', access)

/** Which certificates are trusted, of proxies as of servers. */
const trust = ({ insecure, ca }: Access): ConnectionOptions => ({
  rejectUnauthorized: !insecure,
  ...(ca === null ? {} : { ca }),
})

/** TLS over a connection. Only the server gets the client's certificate, no proxy does. */
const secure = (
  socket: Socket,
  url: URL,
  clientCertificate: ConnectionOptions,
  access: Access,
): Promise<Socket> => {
  const name = hostOf(url)
  // SNI has names only (RFC 6066 3); an address is compared with the certificate as it is.
  const names = isIP(name) === 0 ? { servername: name } : { host: name }
  const options = { ...trust(access), ...clientCertificate, ...names, socket, ALPNProtocols: ['http/1.1'] }
  return opened(() => tlsConnect(options), 'secureConnect', access)
}

const proxyFailure = (proxy: URL, problem: string): Error =>
  failure('NO_CONNECTION', `the proxy ${proxy.origin}: ${problem}`)

const openProxy = async (proxy: URL, access: Access): Promise<Socket> => {
  try {
    const socket = await openTcp(proxy, access)
    return proxy.protocol === 'http:' ? socket : await secure(socket, proxy, {}, access)
  } catch (error) {
    throw proxyFailure(proxy, (error as Error).message)
  }
}

const openTunnel = (server: URL, proxy: URL, access: Access): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const send = proxy.protocol === 'https:' ? httpsRequest : http.request
    const authority = `${server.hostname}:${portOf(server)}`
    const credentials = proxyCredentials(proxy)
    const { timeoutMs } = access
    const outgoing = send({
      host: hostOf(proxy),
      port: portOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers: {
        Host: authority,
        ...(credentials === null ? {} : { 'Proxy-Authorization': credentials }),
      },
      agent: false,
      ...trust(access),
    })
    const timer = setTimeout(() => outgoing.destroy(new Error(`no tunnel within ${timeoutMs} ms`)), timeoutMs)
    const fail = (problem: string): void => {
      clearTimeout(timer)
      reject(proxyFailure(proxy, problem))
    }
    outgoing.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy()
        fail(tunnelProblem(statusCode, authority))
        return
      }
      clearTimeout(timer)
      socket.on('error', () => {})
      if (head.length > 0) socket.unshift(head)
      resolve(socket as Socket)
    })
    outgoing.once('response', response => {
      response.destroy()
      fail(tunnelProblem(response.statusCode ?? 0, authority))
    })
    outgoing.once('error', error => fail(error.message))
    outgoing.end()
  })

const tunnelProblem = (status: number, authority: string): string =>
  status === 407
    ? 'it requires credentials (407): give them in its URL'
    : `it does not connect to ${authority} (${status})`
