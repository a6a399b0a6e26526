import {
  type CredentialKind,
  credentialKinds,
  credentialVariants,
  isObject,
  isShownIn,
  malformedKindsOf,
  type Subject,
} from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import type { OperationModel } from '../operation-model.ts'
import { withAllOptional } from '../with-optional.ts'
import { without, withRandomBody } from './edit-spec.ts'
import type { PlainSpec, Strategy, StrategyContext, Unsupported } from './strategy.ts'

/** Kinds with more variants than these send each with one body only, plain or with all that is optional by turns. */
const fewVariants = 3

const largeBody = { kind: 'padded', bytes: 100_000 } as const

/** Requests with other credentials than the right ones, or with the right ones in another spelling. */
export const credentialsStrategy = (
  context: StrategyContext,
  { name }: Extract<Subject, { kind: 'credentials' }>,
  plain: PlainSpec,
): Strategy | Unsupported => {
  const { model, isTokenKnown, isTokenRejected } = context
  const kind = credentialKinds(model.operation).find(candidate => candidate.name === name)
  if (kind === undefined) return { unsupported: 'credentials of this scheme are not supported' }
  if (kind.needsToken && !isTokenKnown)
    return { unsupported: 'no token was given (--token), so none is known to be wrong', cause: 'access' }
  if (kind.accepted && isTokenRejected?.() === true)
    return {
      unsupported: 'no token was given (--token), and the server rejects a made-up one',
      cause: 'access',
    }
  const variants = credentialVariants(kind)
  const bodies = bodiesOf(kind, variants)
  const make: Strategy['make'] = (index, number) => {
    const pick = index % variants
    const spec = { ...plain(number), credentials: { kind, pick }, extra: kind.extra[pick] ?? [] }
    if (kind.invalidBody) return { ...spec, ...invalidBody(model, spec, index), renewable: false }
    // A check may depend on what the body has, and on how it is sent.
    switch (Math.floor(index / variants) + (bodies === 1 ? index % 2 : 0)) {
      case 0:
        return spec
      case 1:
        return withAllOptional(model, spec, number)
      case 2:
        return { ...spec, chunked: spec.body !== undefined }
      case 3:
        return { ...spec, encoding: model.body?.in === 'body' ? largeBody : spec.encoding }
      default:
        return withRandomBody(context, spec, number)
    }
  }
  return {
    size: variants * bodies,
    weight: 0,
    precondition: kind.afterAccepted ? 'after-accepted' : 'none',
    make,
  }
}

/** With how many kinds of bodies each variant is sent. */
const bodiesOf = ({ invalidBody, accepted }: CredentialKind, variants: number): number => {
  if (invalidBody || (variants === 1 && !accepted)) return 4
  return variants <= fewVariants ? 2 : 1
}

/** Bodies to be rejected for themselves: of another type, without a property, with a wrong one; or such as cannot be read. */
const invalidBody = (
  { body: model, isValidBody }: OperationModel,
  { body }: RequestSpec,
  index: number,
): Partial<RequestSpec> => {
  if (model === null) return {}
  const values = isObject(body) ? body : {}
  const names = [...new Set([...Object.keys(values), ...model.root.properties])]
  const last = Object.keys(values).at(-1) ?? names.at(-1)
  const wrong = [
    ...(model.in === 'body' ? [[]] : model.format.kind === 'text' ? ['one'] : []),
    ...(last === undefined ? [] : [without(values, last), { ...values, [last]: null }]),
    ...names.map(name => ({ ...values, [name]: 'one' })),
    ...names.map(name => ({ ...values, [name]: null })),
  ].filter(value => isShownIn(model.format, model.root, value) && !isValidBody(value))
  const kind = model.in === 'body' ? 'truncated' : malformedKindsOf(model.format)[0]?.name
  const invalid = wrong[index % wrong.length]
  return invalid === undefined && kind !== undefined
    ? { encoding: { kind: 'malformed', name: kind, pick: index } }
    : { body: invalid ?? body }
}
