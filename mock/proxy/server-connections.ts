import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import { type Headers, withoutLastSlashes } from '../../spec/index.ts'
import { withoutOrigin } from '../engine/request.ts'
import { fieldsForServer, withFields } from './fields.ts'
import type { ForwardOptions } from './options.ts'

/** The connections to the server: each client connection has its own, so that one sees what becomes of the other. */
export type ServerConnections = {
  /**
   * The head of a request as the server gets it; its body is still to be sent. `isUpgrade`: it asks for another protocol.
   * `added`: header fields in the place of those of the same names. `onClose`: the server has closed the connection, before or after its answer.
   */
  readonly open: (
    request: IncomingMessage,
    isUpgrade: boolean,
    onClose: () => void,
    added: Headers,
  ) => ClientRequest
}

const maxHeaderSize = 256 * 1024

export const createServerConnections = (options: ForwardOptions): ServerConnections => {
  const { target, ca, cert, key, insecure = false } = options
  const isSecure = target.protocol === 'https:'
  // How long a connection may be idle is up to the server and the client.
  const settings = { keepAlive: true, noDelay: true, agentKeepAliveTimeoutBuffer: 0 }
  const agents = new WeakMap<Socket, Agent>()
  const agentFor = (client: Socket): Agent => {
    const known = agents.get(client)
    if (known !== undefined) return known
    const agent = isSecure
      ? new TlsAgent({
          ...settings,
          ca,
          cert,
          key,
          rejectUnauthorized: !insecure,
          ALPNProtocols: ['http/1.1'],
        })
      : new Agent(settings)
    agents.set(client, agent)
    client.once('close', () => agent.destroy())
    return agent
  }
  const base = withoutLastSlashes(target.pathname)
  return {
    open: (request, isUpgrade, onClose, added) => {
      const { method = 'GET', url = '/' } = request
      const local = withoutOrigin(url)
      const fields = withFields(fieldsForServer(request, options, isUpgrade), added)
      const outgoing = (isSecure ? requestHttps : requestHttp)({
        agent: agentFor(request.socket),
        host: target.hostname.replace(/^\[|\]$/g, ''),
        port: Number(target.port) || (isSecure ? 443 : 80),
        method,
        path: local === '*' ? local : base + (local.startsWith('/') ? local : `/${local}`),
        setHost: false,
        maxHeaderSize,
        // Node would add a body to a method that usually has one.
        ...(isFramed(request) ? { headers: fields } : {}),
      })
      outgoing.setNoDelay(true)
      outgoing.once('socket', server => {
        if (outgoing.reusedSocket) return
        const closed = (): void => void (server.bytesRead > 0 && onClose())
        server.once('end', closed).once('close', closed)
      })
      if (!isFramed(request)) setFields(outgoing, fields)
      return outgoing
    },
  }
}

const isFramed = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Sets fields so that Node adds none; those of one name come to stand together. */
const setFields = (outgoing: ClientRequest, fields: readonly string[]): void => {
  for (const name of ['Connection', 'Transfer-Encoding', 'Content-Length']) outgoing.removeHeader(name)
  const lines = new Map<string, { readonly name: string; readonly values: string[] }>()
  for (let index = 0; index < fields.length; index += 2) {
    const [name, value] = [fields[index] as string, fields[index + 1] as string]
    const known = lines.get(name.toLowerCase())
    if (known === undefined) lines.set(name.toLowerCase(), { name, values: [value] })
    else known.values.push(value)
  }
  for (const { name, values } of lines.values())
    outgoing.setHeader(name, values.length === 1 ? (values[0] as string) : values)
}
