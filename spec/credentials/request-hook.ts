/** Signing by own code: a function that sees each request before it is sent. */
import type { Headers } from '../http/exchange.ts'

/** A request as it is about to be sent: with the token and the extra headers. */
export type OutgoingRequest = {
  readonly method: string
  /** An absolute URL. */
  readonly url: string
  readonly headers: Headers
  /** Null: it has no body. */
  readonly body: Uint8Array | null
}

/**
 * Returns headers to add to a request, or to replace by name: a signature of its bytes, or a proof. What it returns is recorded nowhere.
 */
export type RequestHook = (request: OutgoingRequest) => AddedHeaders | Promise<AddedHeaders>
type AddedHeaders = Readonly<Record<string, string>> | undefined

/** Why a request could not be signed. */
export class RequestHookError extends Error {}

/** Headers that belong to the connection or to the body as it is sent. */
const reserved = ['connection', 'content-length', 'expect', 'host', 'transfer-encoding', 'upgrade']

/** The headers that a hook returns for a request. Throws RequestHookError. */
export const headersByHook = async (hook: RequestHook, request: OutgoingRequest): Promise<Headers> => {
  let returned: unknown
  try {
    returned = await hook(request)
  } catch (error) {
    throw new RequestHookError(`the request hook failed: ${error instanceof Error ? error.message : error}`)
  }
  return returned === undefined ? [] : headersIn(returned)
}

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
      throw new RequestHookError(`the request hook cannot set ${name}: whoever sends the request sets it`)
    return [name, value]
  })
}
