import { type Contract, type HttpRequest, headersByHook, type RequestHook } from '../../../spec/index.ts'

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
