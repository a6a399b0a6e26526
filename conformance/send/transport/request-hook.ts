import type { Contract, Headers, HttpRequest } from '../../../spec/index.ts'
import type { RequestHook } from '../../options/access.ts'

/** Headers that belong to the connection or to the body as it is sent. */
const reserved = ['connection', 'content-length', 'expect', 'host', 'transfer-encoding', 'upgrade']

/** Why a request could not be signed. */
export class RequestHookError extends Error {}

/** The headers in which a contract declares credentials, in lower case, and whether each has nothing but an API key. */
export const credentialHeaders = ({ operations }: Contract): ReadonlyMap<string, boolean> => {
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
export const withHook = async (
  hook: RequestHook,
  origin: string,
  ofCredentials: ReadonlyMap<string, boolean>,
  planned: HttpRequest,
  request: HttpRequest,
): Promise<HttpRequest> => {
  const { method, target, headers, body } = request
  const url = /^https?:/.test(target) ? target : origin + target
  let returned: unknown
  try {
    returned = await hook({ method, url, headers, body })
  } catch (error) {
    throw new RequestHookError(`the request hook failed: ${error instanceof Error ? error.message : error}`)
  }
  if (returned === undefined) return request
  const isFree = (name: string): boolean => {
    const isKey = ofCredentials.get(name.toLowerCase())
    return (
      isKey === undefined ||
      (isKey && planned.headers.some(([other, value]) => isSame(other, name) && rightKey.test(value)))
    )
  }
  const added = headersIn(returned).filter(([name]) => isFree(name))
  const kept = headers.filter(([name]) => !added.some(([other]) => isSame(other, name)))
  return { ...request, headers: [...kept, ...added] }
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

const headersIn = (returned: unknown): Headers => {
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned))
    throw new RequestHookError('the request hook must return an object of headers, or nothing')
  return Object.entries(returned).map(([name, value]) => {
    if (
      !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) ||
      typeof value !== 'string' ||
      /[^\t\x20-\x7e\x80-\xff]/.test(value)
    )
      throw new RequestHookError(
        `the request hook returned no usable header ${JSON.stringify(name)}: names and values are texts of HTTP`,
      )
    if (reserved.includes(name.toLowerCase()))
      throw new RequestHookError(`the request hook cannot set ${name}: the suite sets it itself`)
    return [name, value]
  })
}
