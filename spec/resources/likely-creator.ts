import type { Contract, Operation } from '../contract/contract.ts'
import { jsonMedia } from '../obligations/operation-context.ts'
import { placesOf } from '../schema/locations.ts'
import {
  isCreationWord,
  isNamingName,
  isOwnId,
  isPrefixName,
  isSameName,
  saysHow,
  singular,
} from './names.ts'
import { nounIn, wordsOf } from './resource.ts'

/**
 * The operation that seems to create what the last parameter of a path names, if none is declared at the path above: one of nearly the same path
 * (`POST /silences`, `/v1/silences` or `/silence/create` for `/silence/{id}`), or one whose response has a property called like the
 * parameter. A guess: it makes resources that requests can ask for, and decides nothing.
 */
export const likelyCreator = (
  contract: Contract,
  candidates: readonly Operation[],
  path: string,
): Operation | null => {
  const above = path.slice(0, path.lastIndexOf('/'))
  const parameter = path.slice(path.lastIndexOf('{') + 1, -1)
  const posts = candidates.filter(
    ({ method, path: at }) => method === 'POST' && parentOf(at) === parentOf(above),
  )
  const place = placeName(above)
  return (
    posts.find(operation => place !== '' && placeName(operation.path) === place) ??
    posts.find(operation => {
      const given = propertiesGiven(contract, operation)
      if (!given.some(name => isSameName(name, parameter))) return false
      // Any response may have an `id`, and beside one of its own it has those of others, such as whose it is.
      return isNamingName(parameter) ? speaksOf(operation, nounIn(path)) : !given.some(isOwnId)
    }) ??
    null
  )
}

/** What has a name in a path, without the name: `/shops/{}` for `/shops/{shop}/orders`. */
const parentOf = (path: string): string =>
  path.slice(0, path.lastIndexOf('}') + 1).replace(/\{[^{}]*\}/g, '{}')

/** A path in lower case without what says where or how: `silence` for `/silences`, `/v1/silences` and `/silence/create`. */
const placeName = (path: string): string => {
  const segments = path
    .split('/')
    .filter(segment => segment !== '')
    .map(segment =>
      segment.startsWith('{')
        ? '{}'
        : wordsOf(segment)
            .filter(word => !isCreationWord(word))
            .join(' '),
    )
    .filter(segment => segment !== '' && !isPrefixName(segment) && !saysHow(segment))
  return [...segments.slice(0, -1), singular(segments.at(-1) ?? '')].join('/')
}

const propertiesGiven = ({ document }: Contract, { responses }: Operation): readonly string[] =>
  responses.flatMap(({ status, media }) => {
    const schema = /^2/.test(status) ? jsonMedia(media)?.schema : null
    return schema == null ? [] : placesOf(document, schema).properties
  })

/** Whether an operation is named after resources of this kind: `SendMessage` after messages. */
const speaksOf = ({ id }: Operation, noun: string): boolean => {
  const words = wordsOf(id).map(singular).join(' ')
  return ` ${words} `.includes(` ${noun} `)
}
