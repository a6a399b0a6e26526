import {
  type Contract,
  fillToken,
  fillTokenIn,
  type Headers,
  type HttpRequest,
  headerPlaceholder,
  headersByHook,
  type RequestHook,
  type SecretOf,
} from '../../../spec/index.ts'
import type { Access } from '../../options/access.ts'
import { proxyCredentials } from './connect.ts'

export type OutgoingOptions = Access & {
  readonly target: URL
  /** The token that is right now, and the secrets that have a name. */
  readonly token: SecretOf
  /** The contract whose credentials a hook has to leave alone. Default: there are none. */
  readonly contract?: Contract
}

/** Makes requests as they go out: with the token, the extra headers, what a forwarding proxy needs, and what a hook adds. Throws RequestHookError. */
export const createOutgoing = (
  options: OutgoingOptions,
  isForwarded: boolean,
): ((request: HttpRequest) => Promise<HttpRequest>) => {
  const { requestHook, contract, target } = options
  const fill = filler(options, isForwarded)
  if (requestHook === null) return async request => fill(request)
  const ofCredentials = contract === undefined ? new Map<string, boolean>() : credentialHeaders(contract)
  return async request => withHook(requestHook, target.origin, ofCredentials, request, fill(request))
}

/** The headers in which a contract declares credentials, in lower case, and whether each has nothing but an API key. */
const credentialHeaders = ({ operations }: Contract): ReadonlyMap<string, boolean> => {
  const found = new Map<string, boolean>()
  for (const { security, undeclared } of operations)
    for (const scheme of [...security.flat(), ...(undeclared === undefined ? [] : [undeclared])])
      if (scheme.kind !== 'apiKey') found.set('authorization', false)
      else if (scheme.in === 'header') {
        const name = scheme.key.toLowerCase()
        found.set(name, found.get(name) ?? true)
      }
  return found
}

/** A header that is nothing but the right API key. */
const rightKey = /^\{\{token(?:@(?:[A-Z0-9_]+|other))?\}\}$/

/**
 * Adds the headers that a hook returns for a request. `planned`: the same before its placeholders were filled. What tests credentials keeps
 * those that it has. Throws RequestHookError.
 */
const withHook = async (
  hook: RequestHook,
  origin: string,
  ofCredentials: ReadonlyMap<string, boolean>,
  planned: HttpRequest,
  request: HttpRequest,
): Promise<HttpRequest> => {
  const { method, target, headers, body } = request
  const url = /^https?:/.test(target) ? target : origin + target
  const returned = await headersByHook(hook, { method, url, headers, body })
  if (returned.length === 0) return request
  const isFree = (name: string): boolean => {
    const isKey = ofCredentials.get(name.toLowerCase())
    return (
      isKey === undefined ||
      (isKey && planned.headers.some(([other, value]) => isSame(other, name) && rightKey.test(value)))
    )
  }
  const added = returned.filter(([name]) => isFree(name))
  const kept = headers.filter(([name]) => !added.some(([other]) => isSame(other, name)))
  return { ...request, headers: [...kept, ...added] }
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** A proxy that forwards requests takes this header for its own. */
const isForProxy = (name: string): boolean => name.toLowerCase() === 'proxy-authorization'

/** Puts the token and the extra headers into requests, and what a forwarding proxy needs. */
const filler = (
  { target, token, headers, proxy }: OutgoingOptions,
  isForwarded: boolean,
): ((request: HttpRequest) => HttpRequest) => {
  const prefix = target.pathname.replace(/\/$/, '')
  const credentials = proxy === null || !isForwarded ? null : proxyCredentials(proxy)
  const added: Headers = credentials === null ? headers : [...headers, ['Proxy-Authorization', credentials]]
  return request => {
    return {
      ...request,
      target:
        (isForwarded ? target.origin : '') +
        prefix +
        fillToken(request.target, name => encodeURIComponent(token(name))),
      headers: [
        ...request.headers
          .filter(([name, value]) => value !== headerPlaceholder && !(isForwarded && isForProxy(name)))
          .map(([name, value]) => [name, fillToken(value, token)] as const),
        ...added,
      ],
      body: request.body === null ? null : fillTokenIn(request.body, token),
    }
  }
}
