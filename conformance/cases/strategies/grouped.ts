/** One valid request with the values that several requirements are about. */
import {
  isArray,
  isObject,
  isOfBody,
  type Json,
  parseJson,
  type Subject,
  steps,
  writeJson,
} from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { parameterAt, withValueAt } from './edit-spec.ts'
import type { StrategyContext } from './strategy.ts'

export type ValueSubject = Extract<Subject, { kind: 'value' }>

/** The request with the first value of each subject beside the others, as far as it stays valid. */
export const withValues = (
  context: StrategyContext,
  spec: RequestSpec,
  subjects: readonly ValueSubject[],
  number: number,
): RequestSpec => {
  let whole = spec
  for (const { location, texts } of subjects) {
    const [text] = texts
    const made = text === undefined ? null : withValueAt(context, spec, location, parseJson(text), number)
    whole = (made === null ? null : joined(context, whole, made, location)) ?? whole
  }
  return whole
}

/** The request with what another one has at a location; null if it is not valid with that. */
const joined = (
  { model }: StrategyContext,
  whole: RequestSpec,
  made: RequestSpec,
  location: ValueSubject['location'],
): RequestSpec | null => {
  const { name, place } = location
  if (!isOfBody(location)) {
    const value = made.parameters[name]
    const isValid = value !== undefined && parameterAt(model, location)?.isValid(value) === true
    return isValid ? { ...whole, parameters: { ...whole.parameters, [name]: value } } : null
  }
  if (whole.body === undefined || made.body === undefined) return null
  const body = withTheSameAt(whole.body, made.body, steps(place))
  return model.isValidBody(body) ? { ...whole, body } : null
}

/** A value with what another one has at a place, and with the objects and lists that lead there. Items of lists are added. */
export const withTheSameAt = (base: Json, other: Json, names: readonly string[]): Json => {
  const [name, ...rest] = names
  if (name === undefined) return other
  if (isArray(base) && isArray(other)) {
    const index = name === '*' ? base.length : Number(name)
    const item = name === '*' ? other.at(-1) : other[index]
    if (item === undefined || base.some(each => writeJson(each) === writeJson(item))) return base
    return index < base.length
      ? base.with(index, withTheSameAt(base[index] as Json, item, rest))
      : [...base, item]
  }
  if (!isObject(base) || !isObject(other)) return other
  const key = name === '*' ? Object.keys(other).at(-1) : name
  const [known, given] = key === undefined ? [] : [base[key], other[key]]
  if (key === undefined || given === undefined) return base
  return { ...base, [key]: known === undefined ? given : withTheSameAt(known, given, rest) }
}
