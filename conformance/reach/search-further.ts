import { isArray, isObject, type Json, type Obligation, typeOf } from '../../spec/index.ts'
import type { RequestSpec, TestCase, ValidKind } from '../cases/case.ts'
import { countExamples } from '../cases/declared-examples.ts'
import { withAllOptional, withoutBody } from '../cases/strategies/index.ts'
import {
  isDate,
  labelOf,
  optionalOf,
  optionalParametersOf,
  withEmptyTexts,
  withLaterDates,
  withOptional,
  withParameters,
  withSingleItems,
} from '../cases/with-optional.ts'
import { knownObjects } from '../pool/known-objects.ts'
import { differences, valuesFor, withValues } from '../pool/known-values.ts'
import { type KnownValue, noBody } from '../pool/pool.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { isRejected, isUnserved, wasSentAndAccepted } from './accepted.ts'
import { followAdvice } from './follow-advice.ts'
import { keepNeeded } from './keep-needed.ts'
import { type Found, searchRichResource } from './search.ts'

/** After so many requests that were not served, whatever was done, an operation is not searched any further. */
const mostBusy = 2

/**
 * Looks for a request that is accepted by what else the document and the server say: without a body that is optional, with the examples of the
 * document, with what the text of the rejection asks for. That the plain request was rejected is for the server to explain, unless what it
 * takes instead may be the name of something that exists.
 */
export const searchFurther = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  rejected: readonly Sent[],
): Promise<Found | null> => {
  const { model, sender } = operation
  const plain = sender.validCase(valid, 'plain').spec
  const kinds: readonly ValidKind[] = [
    'rich',
    ...(withoutBody(model, plain) === plain ? [] : (['bare'] as const)),
    ...Array.from({ length: countExamples(model) }, () => 'example' as const),
  ]
  const last = [...rejected]
  const tryOne = createTryOne(session, operation, valid, last)
  for (const kind of kinds) {
    const found = await tryOne(sender.validCase(valid, kind), sources[kind] ?? 'accepted before')
    if (found !== null) return found
  }
  const withObject = await searchObjects(session, operation, valid, tryOne)
  if (withObject !== null) return withObject
  const advised = await followAdvice(session, operation, valid, last.filter(isRejected))
  if (advised !== null) return { sent: advised, accuses: true }
  // What such a parameter names has to exist.
  const withOptionalParameters = (
    spec: RequestSpec,
    names: readonly string[],
    number: number,
  ): RequestSpec => {
    const more = withParameters(model, spec, names, labelOf(number, 'optional'))
    return withValues(model, more, valuesFor(session.pool, model, more, 0), null)
  }
  const triedTypes = new Set<string>()
  const ofNewTypes = (spec: RequestSpec): RequestSpec | null => {
    const types = typesIn(spec.body ?? null)
    if (triedTypes.has(types) || triedTypes.size >= mostSingle) return null
    triedTypes.add(types)
    return spec
  }
  const changes: readonly ((spec: RequestSpec, number: number) => RequestSpec | null)[] = [
    ...Array.from(
      { length: mostDrawn },
      () => (spec: RequestSpec, number: number) =>
        ofNewTypes(withSingleItems(model, spec, labelOf(number, 'optional'))),
    ),
    (spec, number) =>
      withSingleItems(model, withAllOptional(model, spec, number), labelOf(number, 'optional')),
    spec => withLaterDates(model, spec),
    (spec, number) => withLaterDates(model, withAllOptional(model, spec, number)),
    (spec, number) => withEmptyTexts(model, withAllOptional(model, spec, number)),
    (spec, number) => withOptionalParameters(spec, optionalParametersOf(model, spec), number),
    ...optionalParametersOf(model, plain)
      .slice(0, mostAlone)
      .map(name => (spec: RequestSpec, number: number) => withOptionalParameters(spec, [name], number)),
    ...optionalOf(model)
      .slice(0, mostAlone)
      .map(
        name => (spec: RequestSpec, number: number) =>
          withOptional(model, spec, [name], labelOf(number, 'optional')),
      ),
  ]
  for (const change of changes) {
    const base = sender.validCase(valid, 'plain')
    const changed = change(base.spec, base.number)
    const variant = changed === null ? null : sender.validVariant(base, changed)
    const found = variant === null || changed === base.spec ? null : await tryOne(variant, 'accepted before')
    if (found !== null) return found
  }
  return rejected.some(isRejected) ? searchRichResource(operation, valid) : null
}

/** What a request with something else than the plain one shows; null if it is not accepted. `source`: where that is from. */
type TryOne = (testCase: TestCase, source: string) => Promise<Found | null>

/** Sends one request after the other; `rejected` gets those that are not accepted. */
const createTryOne = (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  rejected: Sent[],
): TryOne => {
  const { model, sender } = operation
  const plain = sender.validCase(valid, 'plain').spec
  let busy = 0
  return async (testCase, source) => {
    // Others may be served meanwhile, but each of these would be sent again and again.
    if (busy >= mostBusy) return null
    const sent = await sender.send(testCase)
    if (isUnserved(sent.outcome)) busy += 1
    if (!wasSentAndAccepted(operation, sent)) {
      rejected.push(sent)
      return null
    }
    const values = differences(model, sent.testCase, plain, { source, isName: true, isTried: true })
    const needed = await keepNeeded(session, operation, valid, 'plain', values)
    return { sent, accuses: ![...needed].some(mayName) }
  }
}

/** Looks for a request that is accepted with a whole object that the server has shown. Null: there is none. */
export const searchObjects = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  tryOne: TryOne = createTryOne(session, operation, valid, []),
): Promise<Found | null> => {
  const { pool } = session
  const { model, sender } = operation
  const { id } = model.operation
  const plain = sender.validCase(valid, 'plain').spec
  const before = pool.givenTo(id)
  for (const objects of knownObjects(pool, model, plain)) {
    pool.give(id, new Map([...valuesFor(pool, model, plain, 0), ...objects]))
    const found = await tryOne(sender.validCase(valid, 'plain'), 'a response of the server')
    if (found !== null) return found
    pool.give(id, before)
  }
  return null
}

const sources: Partial<Record<ValidKind, string>> = {
  bare: 'it may be left out',
  example: 'an example',
}

/** Bodies with lists of one item that are tried, and among how many they are looked for: each has other alternatives of a schema. */
const [mostSingle, mostDrawn] = [4, 16]

/** The types in a value: what has the same ones is of the same alternatives of a schema. */
const typesIn = (value: Json): string => {
  if (isArray(value)) return `[${[...new Set(value.map(typesIn))].join()}]`
  if (isObject(value))
    return `{${Object.entries(value).map(([name, member]) => `${name}:${typesIn(member)}`)}}`
  return typeOf(value)
}

/** Optional parameters and properties that are tried one at a time. */
const mostAlone = 8

/** A text may name something that exists; a date, a number that is no identifier, or one of a list, does not. */
const mayName = ([place, { value }]: readonly [string, KnownValue]): boolean =>
  place === noBody || (typeof value === 'string' && !isDate(value))
