import { mediaType, takesMedia } from './exchange.ts'

/** Parameters that say how bytes are read, and not what they mean: any media type may have them. */
const ofBytes = /^(charset|boundary|q)$/

/** The parameters of a Content-Type by which two media types differ, such as `version=2` (RFC 9110, 8.3.1); names in lower case. */
const mediaParameters = (contentType: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  if (!contentType.includes(';')) return found
  for (const [, name = '', quoted, plain = ''] of contentType.matchAll(
    /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g,
  )) {
    const key = name.toLowerCase()
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')
    if (!ofBytes.test(key)) found.set(key, value.toLowerCase())
  }
  return found
}

/**
 * The declared media types that a body of this type is of, the most precise first. Parameters that a declaration has count: a body of
 * `version=3` is not of `version=2`. Who sends none means the only declaration of that type.
 */
export const mediaFor = <T extends { readonly type: string }>(
  declared: readonly T[],
  contentType: string | null,
): readonly T[] => {
  const type = mediaType(contentType)
  if (type === null || contentType === null) return []
  const alike = declared.filter(each => takesMedia(each.type, type))
  if (alike.length === 0) return alike
  const isPlain = alike.every(each => !each.type.includes(';'))
  if (isPlain)
    return alike.length === 1 ? alike : alike.toSorted((left, right) => breadth(left) - breadth(right))
  const sent = mediaParameters(contentType)
  const rated = alike.map(each => ({ each, parameters: mediaParameters(each.type) }))
  const isOnly = rated.filter(({ each }) => !each.type.includes('*')).length === 1
  return rated
    .filter(
      ({ parameters }) =>
        [...parameters].every(([name, value]) => sent.get(name) === value) || (isOnly && sent.size === 0),
    )
    .toSorted(
      (left, right) =>
        breadth(left.each) - breadth(right.each) || right.parameters.size - left.parameters.size,
    )
    .map(({ each }) => each)
}

/** `application/json` before ranges. */
const breadth = ({ type }: { readonly type: string }): number => type.split('*').length

/** The media type of problem details (RFC 9457). */
export const problemType = 'application/problem+json'
