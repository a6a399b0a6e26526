import {
  isArray,
  isObject,
  isShownIn,
  type Json,
  type Pointer,
  placeOf,
  plainValue,
  setAt,
  step,
  valueAt,
  writeJson,
} from '../../spec/index.ts'
import type { RequestSpec } from './case.ts'
import { withFiles } from './files.ts'
import type { OperationModel } from './operation-model.ts'
import { validValue } from './valid-value.ts'

/** Requests with optional parameters, and with optional properties in their bodies. */

export const optionalOf = ({ body }: OperationModel): readonly string[] =>
  body?.root.properties.filter(name => !body.root.required.includes(name)) ?? []

/** Optional parameters that the plain request does not have. */
export const optionalParametersOf = ({ parameters }: OperationModel, spec: RequestSpec): readonly string[] =>
  parameters.flatMap(({ parameter: { name, required } }) =>
    required || Object.hasOwn(spec.parameters, name) ? [] : [name],
  )

/** The request with the plainest values of these parameters as well; a list has one item. */
export const withParameters = (
  { contract, parameters }: OperationModel,
  spec: RequestSpec,
  names: readonly string[],
  label: string,
): RequestSpec => {
  const added = parameters.flatMap(({ parameter: { name }, root, isValid }) => {
    const value =
      root !== null && names.includes(name)
        ? validValue(contract, root, root.children[0]?.pattern ?? null, label)
        : undefined
    return value === undefined || !isValid(value) ? [] : [[name, value] as const]
  })
  return added.length === 0
    ? spec
    : { ...spec, parameters: { ...spec.parameters, ...Object.fromEntries(added) } }
}

/** The request with these properties of the body as well. */
export const withOptional = (
  model: OperationModel,
  spec: RequestSpec,
  names: readonly string[],
  label: string,
): RequestSpec => ({
  ...spec,
  body: spec.body === undefined ? undefined : withPlainValues(model, spec.body, names, label),
})

/** The body with the plainest values of these properties. A form cannot carry a list without items: there it gets one. */
export const withPlainValues = (
  model: OperationModel,
  value: Json,
  names: readonly string[],
  label: string,
): Json => {
  const { body, contract } = model
  const whole = names.reduce<Json>((rest, name) => {
    const place = body === null ? null : placeOf(body.root, step('', name))
    if (place === null) return rest
    const toward = body?.in === 'form' ? (place.children[0]?.pattern ?? null) : null
    const isShown = (each: Json): boolean =>
      body === null || isShownIn(body.format, body.root, { [name]: each })
    return setAt(rest, place.pattern, validValue(contract, place, toward, label, isShown))
  }, value)
  return withFiles(model, whole)
}

/** The request with every optional property, each with a label of its own. */
export const withAllOptional = (model: OperationModel, spec: RequestSpec, number: number): RequestSpec => {
  const label = labelOf(number, 'optional')
  const whole = withOptional(model, spec, optionalOf(model), label)
  const isRight = ({ body }: RequestSpec): boolean => body === undefined || model.isValidBody(body)
  if (isRight(whole) || !isRight(spec)) return whole
  const together = compatible.get(model) ?? compatibleWith(model, spec, label)
  compatible.set(model, together)
  return withOptional(model, spec, together, label)
}

/** Optional properties that may come together, as many as are found in one go: some rule each other out. */
const compatibleWith = (model: OperationModel, spec: RequestSpec, label: string): readonly string[] => {
  const names: string[] = []
  for (const name of optionalOf(model)) {
    const { body } = withOptional(model, spec, [...names, name], label)
    if (body !== undefined && model.isValidBody(body)) names.push(name)
  }
  return names
}

const compatible = new WeakMap<OperationModel, readonly string[]>()

/** The request with an empty text for each that may be one. */
export const withEmptyTexts = (model: OperationModel, spec: RequestSpec): RequestSpec =>
  withTexts(model, spec, () => '')

/**
 * The request with dates in the future, each later than the one before, as a start comes before its end; null if it has none. All are leap
 * years.
 */
export const withLaterDates = (model: OperationModel, spec: RequestSpec): RequestSpec | null => {
  let year = 2036
  const later = (text: string): string => {
    if (!isDate(text)) return text
    year += 4
    return `${year}${text.slice(4)}`
  }
  const changed = withTexts(model, spec, later)
  return year === 2036 ? null : changed
}

export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text)

/** The request with other texts in parameters that are not in its path, and in the objects of its body, as far as it stays valid. */
const withTexts = (
  { isValidBody, parameters }: OperationModel,
  spec: RequestSpec,
  change: (text: string) => string,
): RequestSpec => {
  const changed = parameters.flatMap(({ parameter: { name, in: part }, isValid }) => {
    const value = spec.parameters[name]
    const next = typeof value === 'string' && part !== 'path' ? change(value) : value
    return next === undefined || next === value || !isValid(next) ? [] : [[name, next] as const]
  })
  let body = spec.body
  const visit = (value: Json, at: Pointer): void => {
    if (isObject(value)) for (const [name, member] of Object.entries(value)) visit(member, step(at, name))
    else if (typeof value === 'string' && body !== undefined) {
      const next = setAt(body, at, change(value))
      if (isValidBody(next)) body = next
    }
  }
  if (body !== undefined) visit(body, '')
  return { ...spec, body, parameters: { ...spec.parameters, ...Object.fromEntries(changed) } }
}

/** The request with one item in each list of its body, as far as it stays valid: some lists have to be equally long, and not empty. */
export const withSingleItems = (
  { body: model, isValidBody }: OperationModel,
  spec: RequestSpec,
  label: string,
): RequestSpec => {
  let body = spec.body
  const set = (at: Pointer, value: Json): Json => {
    const before = valueAt(body ?? null, at) as Json
    const next = setAt(body ?? null, at, value)
    if (writeJson(before) === writeJson(value) || !isValidBody(next)) return before
    body = next
    return value
  }
  const itemFor = (at: Pointer): readonly Json[] => {
    const place = model === null ? null : placeOf(model.root, at.replace(/\/0(?=\/|$)/g, '/*'))
    const whole = place === null ? undefined : plainValue(place, `${place.pattern}/*`, label)
    return isArray(whole) ? whole.slice(0, 1) : []
  }
  const visit = (value: Json, at: Pointer): void => {
    if (isArray(value)) {
      const [item] = set(at, value.length === 0 ? itemFor(at) : value.slice(0, 1)) as readonly Json[]
      if (item !== undefined) visit(item, step(at, '0'))
    } else if (isObject(value))
      for (const [name, member] of Object.entries(value)) visit(member, step(at, name))
  }
  if (body !== undefined) visit(body, '')
  return body === spec.body ? spec : { ...spec, body }
}

/** The request without its body, if that is optional. */
export const withoutBody = ({ operation }: OperationModel, spec: RequestSpec): RequestSpec =>
  operation.body === null || operation.body.required
    ? spec
    : { ...spec, body: undefined, encoding: { kind: 'absent' }, contentType: null }

/** The request with those optional properties that it does not have yet. */
export const withMissingOptional = (
  model: OperationModel,
  spec: RequestSpec,
  number: number,
): RequestSpec => {
  const { body } = spec
  const names = optionalOf(model).filter(name => !isObject(body) || !Object.hasOwn(body, name))
  return withOptional(model, spec, names, labelOf(number, 'optional'))
}

/**
 * A short word for the plain values of a case, different for each case: a response that carries the label of another case
 * belongs to that one. The form is unlikely to come about by accident.
 */
export const labelOf = (number: number, part: 'required' | 'optional' = 'required'): string =>
  `${part === 'required' ? 'q' : 'w'}${number.toString(36)}z9`

// No case has a number of more digits, but the random names of a server have: one in 30,000 begins and ends like a label.
const form = /^[qw](0|[1-9a-z][0-9a-z]{0,5})z9$/

/** The number of the case that a label belongs to; null if the text is not a label. */
export const numberOfLabel = (text: string): number | null => {
  const digits = form.exec(text)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 36)
}
