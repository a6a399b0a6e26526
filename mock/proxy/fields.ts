import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Headers } from '../../spec/index.ts'
import type { ForwardOptions } from './options.ts'

/** Header fields in a row, name and value in turn, as Node reads and writes them. */
export type RawFields = readonly string[]

/** Fields of one connection, which are not for the next one (RFC 9110, 7.6.1). */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** Fields that whoever sends a message again makes anew. */
export const ofOneHop = /^(?:host|connection|content-length|transfer-encoding|expect|keep-alive|te|upgrade)$/i

/** The fields of a message that go on, in their order and spelling; `change` may give one another value, or leave it out (null).
 * `isUpgrade`: the connection is to be that of another protocol, so that its fields go on as well. */
const passedOn = (
  raw: RawFields,
  connection: string | undefined,
  change: (lowerName: string, value: string) => string | null,
  isUpgrade = false,
): string[] => {
  const named = (connection ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
  const fields: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string
    const lower = name.toLowerCase()
    const given = raw[index + 1] as string
    const value = change(lower, given)
    const isOwn = ofConnection.has(lower) || (named.includes(lower) && lower !== 'host')
    // The framing stays what it was: what changes a field of the connection says that it goes on.
    if (value !== null && (!isOwn || isUpgrade || kept(lower, value))) fields.push(name, value)
  }
  return fields
}

const kept = (name: string, value: string): boolean =>
  name === 'transfer-encoding' || (name === 'te' && /\btrailers\b/i.test(value))

/** The fields that the server gets of a request. */
export const fieldsForServer = (
  request: IncomingMessage,
  options: ForwardOptions,
  isUpgrade: boolean,
): string[] => {
  const { headers, rawHeaders, socket } = request
  const { host } = options.target
  const fields = passedOn(
    rawHeaders,
    headers.connection,
    (name, value) => {
      if (name === 'host') return options.keepHost === true ? value : host
      return options.forwardedHeaders === true && /^x-forwarded-(?:for|host|proto)$/.test(name) ? null : value
    },
    isUpgrade,
  )
  // HTTP/1.0 has requests without a Host.
  if (headers.host === undefined) fields.push('Host', host)
  if (options.forwardedHeaders !== true) return fields
  const before = headers['x-forwarded-for']
  const address = socket.remoteAddress ?? 'unknown'
  const scheme = (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http'
  fields.push('X-Forwarded-For', before === undefined ? address : `${before}, ${address}`)
  fields.push('X-Forwarded-Host', String(headers['x-forwarded-host'] ?? headers.host ?? ''))
  fields.push('X-Forwarded-Proto', String(headers['x-forwarded-proto'] ?? scheme))
  return fields
}

/** The fields that the client gets of a response. `isOld`: it speaks HTTP/1.0, which has no chunks. */
export const fieldsForClient = ({ headers, rawHeaders }: IncomingMessage, isOld: boolean): string[] => {
  const isChunked = headers['transfer-encoding'] !== undefined && !isOld
  return passedOn(rawHeaders, headers.connection, (name, value) =>
    (name === 'transfer-encoding' || name === 'trailer') && !isChunked ? null : value,
  )
}

/** The fields with others in the place of those of the same names. */
export const withFields = (fields: readonly string[], added: Headers): readonly string[] => {
  if (added.length === 0) return fields
  const names = new Set(added.map(([name]) => name.toLowerCase()))
  return [...pairsOf(fields).filter(([name]) => !names.has(name.toLowerCase())), ...added].flat()
}

export const pairsOf = (raw: RawFields): Headers => trailersOf(raw)

/** The same as Node writes them. */
export const trailersOf = (raw: RawFields): [string, string][] => {
  const pairs: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    pairs.push([raw[index] as string, raw[index + 1] as string])
  return pairs
}
