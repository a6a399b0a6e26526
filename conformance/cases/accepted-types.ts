import { isJsonMedia, mediaType, type Operation } from '../../spec/index.ts'

const known = new WeakMap<Operation, string>()

/**
 * The `Accept` of a usual request: what the document declares, in its order, and anything else as the last choice. JSON comes before other
 * types of the same success, as it shows most of what a response has to keep; types of failures are never what is asked for.
 */
export const acceptOf = (operation: Operation): string => {
  const made = known.get(operation) ?? make(operation)
  known.set(operation, made)
  return made
}

const make = ({ responses, produces }: Operation): string => {
  const typesOf = (isWanted: (status: string) => boolean): readonly string[] =>
    responses.filter(({ status }) => isWanted(status)).flatMap(({ media }) => media.map(nameOf))
  const isSuccess = (status: string): boolean => /^[23]|default/.test(status)
  const wanted = [...new Set([...typesOf(isSuccess), ...(produces ?? []).map(type => nameOf({ type }))])]
  const others = [...new Set(typesOf(status => !isSuccess(status)))].filter(type => !wanted.includes(type))
  const first = wanted.some(isJson) ? isJson : () => true
  const named = [
    ...wanted.map(type => (first(type) ? type : `${type};q=0.9`)),
    ...others.map(type => (wanted.length === 0 ? type : `${type};q=0.5`)),
  ].filter(type => isMediaType.test(type) && !type.startsWith('*/*'))
  return [...(named.length === 0 ? ['application/json'] : named), '*/*;q=0.1'].join(', ')
}

/** Documents have keys such as `json` as well. */
const isMediaType = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:;[\x20-\x7e]*)?$/

const isJson = (type: string): boolean => isJsonMedia(mediaType(type) ?? '')

/** A media type as `Accept` names it: how its bytes are written says nothing of what it is. */
const nameOf = ({ type }: { readonly type: string }): string =>
  type.replace(/(?:(?<!\s)\s+)?;\s*(?:charset|boundary|q)\s*=\s*(?:"[^"]*"|[^;\s]*)/gi, '').trim()
