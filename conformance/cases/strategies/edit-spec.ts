/** Request specs made out of others: with an identity, with optional properties, with a value at some location. */
import {
  digitsAt,
  isArray,
  isObject,
  isOfBody,
  type Json,
  type Pointer,
  placeOf,
  plainValue,
  type SchemaPlace,
  setAt,
  step,
  steps,
  type ValueLocation,
} from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { isFile, withFiles } from '../files.ts'
import type { OperationModel, ParameterModel } from '../operation-model.ts'
import { bodyWith, parameterWith } from '../required-at.ts'
import { withItem } from '../shown-spec.ts'
import { validValue } from '../valid-value.ts'
import { labelOf } from '../with-optional.ts'
import type { StrategyContext } from './strategy.ts'

/** The body with the identity of this number, which comes first, as people write it. */
export const withIdentity = ({ identities }: StrategyContext, value: Json, number: number): Json =>
  identities !== null && isObject(value)
    ? { [identities.name]: identities.at(number), ...without(value, identities.name) }
    : value

export const without = (
  values: Readonly<Record<string, Json>>,
  name: string,
): Readonly<Record<string, Json>> => {
  const { [name]: _omitted, ...rest } = values
  return rest
}

/** The first property of the body, other than the identity, that may have this text. */
export const textProperty = (
  { model, identities }: StrategyContext,
  { body }: RequestSpec,
  text: string,
): string | undefined =>
  isObject(body)
    ? Object.keys(body).find(
        name =>
          name !== identities?.name &&
          isText(model, name) &&
          typeof body[name] === 'string' &&
          model.isValidBody(setAt(body, step('', name), text)),
      )
    : undefined

/** Whether the schema of a property says that it is a text, and not only one of several alternatives. */
const isText = ({ body }: OperationModel, name: string): boolean => {
  const place = body === null || isFile(body, name) ? null : placeOf(body.root, step('', name))
  return place?.types?.join() === 'string' && digitsAt(place) === null
}

/** The request with this text in such a property; the same if there is none. */
export const withText = (context: StrategyContext, spec: RequestSpec, text: string): RequestSpec => {
  const name = textProperty(context, spec, text)
  return name === undefined || spec.body === undefined
    ? spec
    : { ...spec, body: setAt(spec.body, step('', name), text) }
}

/** The request with a random valid body; neighbouring numbers share one. */
export const withRandomBody = (context: StrategyContext, spec: RequestSpec, number: number): RequestSpec => {
  const body = spec.body === undefined ? undefined : context.values.background(number)
  return body === undefined ? spec : { ...spec, body: withIdentity(context, body, number) }
}

/** The parameter that a location outside the body is in. */
export const parameterAt = (
  { parameters }: OperationModel,
  { name, in: part }: ValueLocation,
): ParameterModel | undefined =>
  parameters.find(({ parameter }) => parameter.name === name && parameter.in === part)

export const rootOf = (model: OperationModel, location: ValueLocation): SchemaPlace | null =>
  (isOfBody(location) ? model.body?.root : parameterAt(model, location)?.root) ?? null

/** The request with a value at a location, and with the objects and lists that lead there. */
export const withValueAt = (
  context: StrategyContext,
  spec: RequestSpec,
  location: ValueLocation,
  value: Json | undefined,
  number: number,
): RequestSpec | null => {
  const root = rootOf(context.model, location)
  if (root === null) return null
  const { name, place } = location
  if (!isOfBody(location)) {
    const whole = place === '' ? value : setAt(parameterToward(context, location, root, number), place, value)
    const { parameters } = spec
    return {
      ...spec,
      parameters: whole === undefined ? without(parameters, name) : { ...parameters, [name]: whole },
    }
  }
  if (place === '') return { ...spec, body: value }
  return {
    ...spec,
    body: withItem(context.model, root, bodyToward(context, spec, place, number), place, value),
    renewable: spec.renewable && !isIdentity(context, location),
  }
}

/** A valid value of a parameter with the objects and lists that lead to a place. */
const parameterToward = (
  { model }: StrategyContext,
  location: ValueLocation,
  root: SchemaPlace,
  number: number,
): Json => {
  const parameter = parameterAt(model, location)
  const plain = plainValue(root, location.place, labelOf(number))
  return parameter === undefined || parameter.isValid(plain)
    ? plain
    : (parameterWith(model, parameter, location.place, number) ?? plain)
}

/** The request without a property of a parameter, which has another one: without any, it would look like no parameter at all. */
export const parameterWithout = (
  context: StrategyContext,
  spec: RequestSpec,
  location: ValueLocation,
  number: number,
): RequestSpec | null => {
  const made = withValueAt(context, spec, location, undefined, number)
  const value = made?.parameters[location.name]
  const other = rootOf(context.model, location)?.children.find(
    ({ pattern }) => pattern !== location.place && !pattern.endsWith('/*'),
  )
  const isBare = isObject(value) && Object.keys(value).length === 0
  if (made === null || value === undefined || other === undefined || !isBare) return made
  const whole = setAt(value, other.pattern, plainValue(other, other.children[0]?.pattern, labelOf(number)))
  return { ...made, parameters: { ...made.parameters, [location.name]: whole } }
}

export const isIdentity = ({ identities }: StrategyContext, location: ValueLocation): boolean =>
  identities !== null && isOfBody(location) && location.place === step('', identities.name)

/** A valid body with the objects and lists that lead to a place. */
export const bodyToward = (
  context: StrategyContext,
  spec: RequestSpec,
  place: Pointer,
  number: number,
): Json => {
  const { model } = context
  const root = model.body?.root
  if (root === undefined) return null
  const label = labelOf(number)
  const plain = withIdentity(context, withFiles(model, plainValue(root, place, label)), number)
  if ((model.isValidBody(plain) && model.body?.in !== 'form') || spec.body === undefined) return plain
  // If only alternatives say what a body has, the plainest values of its places need not make a valid body, nor in a form: so what
  // leads to the place goes into a body that is valid.
  const led = steps(place).reduce<Json>((body, _name, index, names) => {
    const pointer = names.slice(0, index + 1).reduce(step, '')
    const parent = placeOf(root, pointer)
    return parent === null || exists(body, pointer)
      ? body
      : setAt(body, pointer, plainValue(parent, place, label))
  }, spec.body)
  // Whoever asks for the body puts another value there, so that of the place itself does not count.
  const target = placeOf(root, place)
  const filled =
    target === null ? led : withItem(model, root, led, place, validValue(model.contract, target, null, label))
  if (model.isValidBody(led) || model.isValidBody(filled)) return led
  const generated = bodyWith(model, place, number)
  return generated === undefined ? led : withIdentity(context, withFiles(model, generated), number)
}

const exists = (value: Json, pattern: Pointer): boolean => {
  const [name, ...rest] = steps(pattern)
  if (name === undefined) return true
  const inner = isArray(value)
    ? value[name === '*' ? value.length - 1 : Number(name)]
    : isObject(value)
      ? Object.hasOwn(value, name) || name !== '*'
        ? value[name]
        : Object.values(value)[0]
      : undefined
  return inner !== undefined && exists(inner, rest.reduce(step, ''))
}

/** The body with everything that the object at a place may have. */
export const withSiblings = ({ model }: StrategyContext, at: string, body: Json, label: string): Json => {
  const place = model.body === null ? null : placeOf(model.body.root, at)
  const children = place?.children.filter(({ pattern }) => !pattern.endsWith('/*')) ?? []
  return children.reduce<Json>(
    (rest, child) =>
      setAt(
        rest,
        child.pattern,
        validValue(model.contract, child, child.children[0]?.pattern ?? null, label),
      ),
    body,
  )
}
