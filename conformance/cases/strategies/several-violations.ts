import {
  isObject,
  type Json,
  plainValue,
  type SchemaPlace,
  setAt,
  step,
  typedProperties,
  valuesOfType,
} from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { displacedBodies } from '../names/displaced-bodies.ts'
import { withAllOptional, withMissingOptional } from '../with-optional.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** What the first and the second of two properties are in each round; `missing`: there is none. */
const rounds = [
  ['string', 'number'],
  ['null', 'null'],
  ['missing', 'boolean'],
  ['array', 'object'],
  ['number', 'missing'],
] as const

/** More pairs of properties than these are left out. */
const mostPairs = 30

/** Bodies in which two properties have a wrong type, or one of them is missing. */
export const severalStrategy = ({ model }: StrategyContext, plain: PlainSpec): Strategy => {
  const root = model.body?.root
  const places = root === undefined ? [] : typedProperties(root)
  const pairs = places
    .flatMap((one, index) => places.slice(index + 1).map(other => [one, other] as const))
    .slice(0, mostPairs)
  return finiteStrategy(pairs.length * rounds.length, (index, number) => {
    const [one, other] = pairs[index % pairs.length] ?? []
    const [first, second] = rounds[Math.floor(index / pairs.length)] ?? rounds[0]
    if (one === undefined || other === undefined) return null
    const spec = withMissingOptional(model, plain(number), number)
    const identity = model.identity === null ? null : step('', model.identity.name)
    // A fresh identity would take the place of a wrong one.
    const renewable = spec.renewable && one.pattern !== identity && other.pattern !== identity
    return { ...withWrong(withWrong(spec, one, first), other, second), renewable }
  })
}

const withWrong = (spec: RequestSpec, place: SchemaPlace, type: string): RequestSpec => {
  if (!isObject(spec.body)) return spec
  const value = type === 'missing' ? undefined : wrongValue(place, type)
  return { ...spec, body: setAt(spec.body, place.pattern, value) }
}

/** A value of this type, or of the next one if the place may have this. */
const wrongValue = ({ types, ...place }: SchemaPlace, type: string): Json | undefined => {
  const isAllowed = (name: string): boolean =>
    types?.some(allowed => allowed === name || (allowed === 'integer' && name === 'number')) === true
  const wrong = [type, 'string', 'boolean', 'array', 'object', 'null'].find(name => !isAllowed(name))
  return wrong === undefined ? undefined : valuesOfType(wrong, plainValue({ ...place, types }))[0]
}

/** Bodies with all their properties further inside, or under other names; plain, and with all that is optional, by turns. */
export const displacedStrategy = ({ model }: StrategyContext, plain: PlainSpec): Strategy =>
  finiteStrategy(displacedBodies(model, plain(0).body ?? null).length, (index, number) => {
    const spec = plain(number)
    const whole = index % 4 < 2 ? spec : withAllOptional(model, spec, number)
    const body = displacedBodies(model, whole.body ?? null)[index]
    return body === undefined ? null : { ...spec, body, renewable: false }
  })
