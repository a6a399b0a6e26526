import {
  type Json,
  listPlaces,
  mediaFor,
  type Operation,
  type Pointer,
  placeOf,
  placesOf,
  requiredScopes,
  responseFor,
  writeJson,
} from '../../spec/index.ts'
import { type Side, sameParameter } from './counterexample.ts'
import type { DifferenceLevel } from './difference.ts'

/** A difference that no example shows. */
export type Structural = {
  readonly level: DifferenceLevel
  readonly part: 'request' | 'response'
  readonly message: string
  /** Null: the document has no such place. */
  readonly old: Pointer | null
  readonly new: Pointer | null
}

/** What is gone or added in an operation, other than what a judge sees. */
export const structureOf = (old: Side, now: Side): readonly Structural[] => [
  ...addedScopes(old, now).map(added => ({ level: 'breaking', part: 'request', ...added }) as const),
  ...goneInRequests(old, now),
  ...changedDefaults(old, now),
  ...changedResponses(old.operation, now.operation),
]

/** What old clients send, and a new server need not read. */
const goneInRequests = (old: Side, now: Side): readonly Structural[] => {
  const { parameters, body } = old.operation
  const gone = parameters.filter(
    parameter => parameter.in !== 'path' && sameParameter(parameter, old, now) === null,
  )
  return [
    ...gone.map(
      (parameter): Structural => ({
        level: 'risky',
        part: 'request',
        message: `the ${parameter.in} parameter \`${parameter.name}\` is no longer declared: a server may ignore it`,
        old: parameter.pointer,
        new: null,
      }),
    ),
    ...(body !== null && now.operation.body === null
      ? [
          {
            level: 'risky',
            part: 'request',
            message: 'a request body is no longer declared: a server may ignore it',
            old: body.pointer,
            new: null,
          } as const,
        ]
      : []),
  ]
}

/** What a server takes for a value that is not sent. */
const changedDefaults = (old: Side, now: Side): readonly Structural[] => {
  const pairs = [
    ...old.operation.parameters.map(
      parameter => [parameter.schema, sameParameter(parameter, old, now)?.schema] as const,
    ),
    ...(old.operation.body?.media ?? []).map(
      ({ type, schema }) =>
        [schema, now.operation.body?.media.find(media => media.type === type)?.schema] as const,
    ),
  ]
  return pairs.flatMap(([schema, other]) =>
    schema == null || other == null ? [] : defaultsOf(old, now, schema, other),
  )
}

const defaultsOf = (old: Side, now: Side, schema: Pointer, other: Pointer): readonly Structural[] => {
  const root = placesOf(now.contract.requests.document, other)
  return listPlaces(placesOf(old.contract.requests.document, schema)).flatMap(({ pattern, keywords }) => {
    const before = keywords.find(({ keyword }) => keyword === 'default')
    const after = placeOf(root, pattern)?.keywords.find(({ keyword }) => keyword === 'default')
    if (before === undefined || after === undefined) return []
    const [was, is] = [before, after].map(({ value }) => writeJson(value as Json))
    return was === is
      ? []
      : [
          {
            level: 'risky',
            part: 'request',
            message: `what a server takes for a value that is not sent was ${was}, and is ${is}`,
            old: before.pointer,
            new: after.pointer,
          } as const,
        ]
  })
}

const changedResponses = (old: Operation, now: Operation): readonly Structural[] =>
  old.responses.flatMap((response): readonly Structural[] => {
    const same = now.responses.find(({ status }) => status === response.status)
    const status = Number(response.status.replace('XX', '00').replace('default', '500'))
    if (same === undefined)
      return responseFor(now, status) === null
        ? [
            {
              level: 'safe',
              part: 'response',
              message: `the response ${response.status} is no longer declared`,
              old: response.pointer,
              new: null,
            },
          ]
        : []
    return response.media
      .filter(({ type }) => mediaFor(same.media, type).length === 0)
      .map(({ type, pointer }) => ({
        level: status < 400 ? 'breaking' : 'risky',
        part: 'response',
        message: `the response ${response.status} no longer comes as ${type}, which a client may ask for`,
        old: pointer,
        new: same.pointer,
      }))
  })

/** What has to be given now, and where the documents say what has. */
type AddedScope = { readonly message: string; readonly old: Pointer; readonly new: Pointer }

type Scopes = ReadonlyMap<string, readonly string[]>

/**
 * Scopes that an operation did not ask for: tokens of old clients have not been given them. Which schemes a client needs is decided
 * by requests; here each alternative counts that old credentials fit.
 */
const addedScopes = (old: Side, now: Side): readonly AddedScope[] => {
  const before = requiredScopes(old.contract.document, old.operation)
  const after = requiredScopes(now.contract.document, now.operation)
  const messages = before.alternatives.flatMap(held => {
    const missing = after.alternatives
      .filter(asked => [...asked.keys()].every(name => held.has(name)))
      .map(asked => missingIn(held, asked))
      .sort((left, right) => left.length - right.length)[0]
    return missing === undefined || missing.length === 0
      ? []
      : [`a token has to have ${missing.join(' and ')} now, which it did not need`]
  })
  return [...new Set(messages)].map(message => ({
    message,
    old: before.pointer,
    new: after.pointer,
  }))
}

const missingIn = (held: Scopes, asked: Scopes): readonly string[] =>
  [...asked].flatMap(([name, scopes]) =>
    scopes
      .filter(scope => held.get(name)?.includes(scope) !== true)
      .map(scope => `the scope \`${scope}\` of \`${name}\``),
  )
