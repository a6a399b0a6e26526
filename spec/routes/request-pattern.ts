import type { Contract, Operation } from '../contract/contract.ts'
import { SelectionError } from '../errors.ts'
import { withoutLastSlashes } from '../text/characters.ts'
import { nearest } from '../text/nearest.ts'

/** Names requests: by the id of their operation, or by method and path. */
export type RequestPattern = {
  readonly text: string
  readonly matchesOperation: (operation: Pick<Operation, 'id' | 'method' | 'path'>) => boolean
  /** Whether a request with this path, as it is sent, below the base path, is named, whatever operation it belongs to. */
  readonly matchesRequest: (method: string, path: string) => boolean
}

/**
 * Reads `DELETE /admin/*`, `/admin/*` (any method) or `deleteUser*` (operation ids); `*` stands for any characters.
 *
 * @example
 * requestPattern('DELETE /admin/*').matchesRequest('DELETE', '/admin/storage') // true
 */
export const requestPattern = (text: string): RequestPattern => {
  const [, method, rest = ''] = /^(?:([A-Za-z]+|\*)\s+)?(.*)$/s.exec(text.trim()) ?? []
  const form = new RegExp(`^${rest.split('*').map(RegExp.escape).join('.*')}$`, 'is')
  const isMethod = (of: string): boolean =>
    method === undefined || method === '*' || method.toUpperCase() === of.toUpperCase()
  const isPath = rest.startsWith('/') || (method !== undefined && rest.startsWith('*')) || rest === '*'
  // Servers take `/admin/` for `/admin`, and a needless escape for its character.
  const isAt = (path: string): boolean =>
    [path, withoutLastSlashes(path), plain(path)].some(each => form.test(each))
  return {
    text,
    matchesOperation: ({ id, method: of, path }) => isMethod(of) && (isPath ? isAt(path) : form.test(id)),
    matchesRequest: (of, path) => isPath && isMethod(of) && isAt(path),
  }
}

const plain = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Reads patterns. Throws SelectionError if one names no operation of the contract: it would protect nothing. */
export const requestPatterns = (
  { operations, leftOut }: Contract,
  texts: readonly string[],
  flag: string,
): readonly RequestPattern[] =>
  texts.map(text => {
    const pattern = requestPattern(text)
    const all = [
      ...operations,
      ...leftOut.map(({ method, path }) => ({ id: `${method} ${path}`, method, path })),
    ]
    if (all.some(pattern.matchesOperation)) return pattern
    const near = nearest(
      text,
      operations.flatMap(({ id, method, path }) => [id, `${method} ${path}`]),
    )
    const suggestion = near.length === 0 ? '' : `: did you mean ${near.join(', ')}?`
    throw new SelectionError(`${flag} ${text} names no operation of the contract${suggestion}`)
  })
