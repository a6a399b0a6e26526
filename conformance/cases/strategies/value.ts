import { isIntegerSpelling, type Json, parseJson, type Subject } from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { withMissingOptional } from '../with-optional.ts'
import { isIdentity, withValueAt } from './edit-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

type ValueSubject = Extract<Subject, { kind: 'value' }>

const exponents = ['e0', 'E+0', 'e9']

/** Kinds with more values than these send each of them once only, plain or beside all that is optional by turns. */
const fewValues = 4

/** Each value in a plain body, then beside all that is optional; but an identity is never sent twice. */
export const valueStrategy = (
  context: StrategyContext,
  subject: ValueSubject,
  plain: PlainSpec,
): Strategy => {
  const { length } = subject.texts
  const isOnce = isIdentity(context, subject.location)
  const rounds = isOnce || length > fewValues ? 1 : 2
  return finiteStrategy(rounds * length, (index, number) => {
    const spec = specWith(context, subject, index % length, plain(number), number)
    const isPlain = isOnce || (rounds === 1 ? index % 2 === 0 : index < length)
    return spec === null || isPlain ? spec : withMissingOptional(context.model, spec, number)
  })
}

const specWith = (
  context: StrategyContext,
  { location, name, texts }: ValueSubject,
  index: number,
  spec: RequestSpec,
  number: number,
): RequestSpec | null => {
  const text = texts[index]
  if (text === undefined) return null
  if (!isIdentity(context, location) || !isIntegerSpelling(name))
    return withValueAt(context, spec, location, parseJson(text), number)
  // A fresh identity in another spelling: the boundary values of the range can be sent only once.
  const fresh = context.identities?.text(number) ?? '1'
  const value: Json = parseJson(
    fresh + (name === 'decimal-form' ? '.0' : (exponents[index % exponents.length] ?? 'e0')),
  )
  const spelled = withValueAt(context, spec, location, value, number)
  return spelled === null ? null : { ...spelled, renewable: false }
}
