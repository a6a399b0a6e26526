import {
  asNode,
  type Contract,
  type DocumentNode,
  follow,
  isJsonMedia,
  listPlaces,
  mediaType,
  type Operation,
  type Pointer,
  placesOf,
  plainName,
  type SchemaPlace,
  step,
  steps,
} from '../../spec/index.ts'
import { tokenEndpoints } from './token-endpoints.ts'

/** Where the success of an operation has tokens, and what it says of them, as pointers into its body. */
export type Grant = {
  readonly access: readonly Pointer[]
  readonly refresh: readonly Pointer[]
  readonly seconds: readonly Pointer[]
  readonly scopes: readonly Pointer[]
}

const accessTokens = /^(access|auth|bearer|session|api)?token$|^(jwt|apikey)$/
const refreshTokens = /^refreshtoken$/

/** `token` of `{ "user": { "token": … } }` is a token, and one that is deeper is something else. */
const deepest = 2

const known = new WeakMap<Contract, Map<Operation, Grant | null>>()

/** What tokens an operation gives: a login, a refresh, a token endpoint. Null: it gives none, or no operation needs any. */
export const grantOf = (contract: Contract, operation: Operation): Grant | null => {
  const grants = known.get(contract) ?? new Map<Operation, Grant | null>()
  known.set(contract, grants)
  const found = grants.get(operation)
  if (found !== undefined) return found
  const grant = read(contract, operation)
  grants.set(operation, grant)
  return grant
}

const read = (contract: Contract, { method, responses, body }: Operation): Grant | null => {
  if (method !== 'POST' && method !== 'PUT') return null
  if (contract.operations.every(({ security }) => security.length === 0)) return null
  const media = responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(declared => declared.media)
    .find(({ type, schema }) => schema !== null && isJsonMedia(mediaType(type) ?? ''))
  if (media === undefined || media.schema === null) return null
  if (!mayHaveToken(contract.responses.document, media.schema, deepest)) return null
  const places = listPlaces(placesOf(contract.responses.document, media.schema)).filter(
    ({ pattern }) => steps(pattern).length <= deepest && !pattern.includes('*'),
  )
  const named = (names: RegExp, isOf: (place: SchemaPlace) => boolean = () => true): readonly Pointer[] =>
    places
      .filter(place => names.test(plainName(steps(place.pattern).at(-1) ?? '')) && isOf(place))
      .map(({ pattern }) => pattern)
  // A token that clients send for themselves is data, such as that of a secret which they store: it comes back as it was sent.
  const sent = (body?.media ?? []).flatMap(({ schema }) =>
    schema === null ? [] : placesOf(contract.requests.document, schema).properties,
  )
  const access = named(accessTokens, isText).filter(pattern => !sent.includes(steps(pattern).join('/')))
  if (access.length === 0) return null
  return {
    access,
    refresh: named(refreshTokens, isText),
    seconds: named(/^expiresin(seconds)?$/),
    scopes: named(/^scopes?$/),
  }
}

/** A first look, which costs little: descriptions have a thousand operations, and few of them give tokens. */
const mayHaveToken = (document: DocumentNode, schema: Pointer, depth: number): boolean => {
  if (depth === 0) return false
  const { node, pointer } = follow(document, schema)
  const properties = Object.keys(asNode(node.properties))
  if (properties.some(name => accessTokens.test(plainName(name)))) return true
  const members = ['allOf', 'anyOf', 'oneOf'].flatMap(keyword =>
    Object.keys(Array.isArray(node[keyword]) ? node[keyword] : []).map(index =>
      step(step(pointer, keyword), index),
    ),
  )
  const inner = properties.map(name => step(step(pointer, 'properties'), name))
  return [...members, ...inner].some(at => mayHaveToken(document, at, depth - 1))
}

const isText = ({ types }: SchemaPlace): boolean => types?.includes('string') === true

/** Whether responses of a document give tokens. */
export const givesTokens = (contract: Contract): boolean =>
  tokenEndpoints(contract).length > 0 ||
  contract.operations.some(operation => grantOf(contract, operation) !== null)

/** Whether a property or a parameter has this name, by which clients send a token to get another one. */
export const isRefreshToken = (name: string): boolean => refreshTokens.test(plainName(name))
