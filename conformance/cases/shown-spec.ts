import {
  isArray,
  isObject,
  isOfBody,
  isShown,
  isShownIn,
  type Json,
  type Obligation,
  type Pointer,
  placeOf,
  plainValue,
  type SchemaPlace,
  setAt,
  step,
  steps,
} from '../../spec/index.ts'
import type { RequestSpec } from './case.ts'
import type { OperationModel } from './operation-model.ts'

/**
 * The request without those optional values that it cannot show, such as null in a query: nothing else that is in it has to go for them.
 * What the obligation is about stays, so that a request that cannot show it is none of its cases.
 */
export const shownSpec = (
  model: OperationModel,
  { subject }: Pick<Obligation, 'subject'>,
  spec: RequestSpec,
): RequestSpec => {
  if (isAllShown(model, spec)) return spec
  const location = 'location' in subject ? subject.location : null
  const isKept = (name: string, isBody: boolean): boolean =>
    (subject.kind === 'presence' && isBody && subject.present.includes(name)) ||
    (location !== null &&
      isOfBody(location) === isBody &&
      (isBody ? steps(location.place)[0] : location.name) === name)
  return {
    ...spec,
    parameters: Object.fromEntries(
      Object.entries(spec.parameters).filter(
        ([name, value]) =>
          isKept(name, false) ||
          model.parameters.every(
            ({ parameter, root }) =>
              parameter.name !== name || parameter.required || isShown(parameter, root, value),
          ),
      ),
    ),
    body: shownBody(model, spec, name => isKept(name, true)),
  }
}

const shownBody = (
  { body }: OperationModel,
  spec: RequestSpec,
  isKept: (name: string) => boolean,
): RequestSpec['body'] =>
  body === null || !isObject(spec.body) || !isWritten(spec)
    ? spec.body
    : Object.fromEntries(
        Object.entries(spec.body).filter(
          ([name, value]) =>
            isKept(name) ||
            body.root.required.includes(name) ||
            isShownIn(body.format, body.root, { [name]: value }),
        ),
      )

/** Whether a request shows all of its values: what it does not show would be something else on the other side. */
export const isAllShown = ({ parameters, body }: OperationModel, spec: RequestSpec): boolean =>
  parameters.every(({ parameter, root }) => {
    const value = spec.parameters[parameter.name]
    return value === undefined || isShown(parameter, root, value)
  }) &&
  (body === null ||
    spec.body === undefined ||
    !isWritten(spec) ||
    isShownIn(body.format, body.root, spec.body))

/** Whether the value of the body is what is sent, and not bytes of another kind. */
const isWritten = ({ encoding: { kind } }: RequestSpec): boolean =>
  kind === 'json' || kind === 'layout' || kind === 'part'

/**
 * The body with a value at a place. Items of some lists cannot just be replaced, as the list needs those that it has (`contains`): there the
 * value is one item more.
 */
export const withItem = (
  model: OperationModel,
  root: SchemaPlace,
  body: Json,
  place: Pointer,
  value: Json | undefined,
): Json => {
  if (value === undefined || !place.includes('/*') || mayReplace(model, root, body, place))
    return setAt(body, place, value)
  const names = steps(place)
  const last = names.lastIndexOf('*')
  const item = names.slice(0, last + 1).reduce(step, '')
  const rest = names.slice(last + 1).reduce(step, '')
  const itemPlace = placeOf(root, item)
  const added = rest === '' || itemPlace === null ? value : setAt(plainValue(itemPlace, place), rest, value)
  return inserted(body, names.slice(0, last), added) ?? setAt(body, place, value)
}

/** Whether a plain item may take the place of the one that a valid body has. */
const mayReplace = (model: OperationModel, root: SchemaPlace, body: Json, place: Pointer): boolean => {
  const list = placeOf(root, place.slice(0, place.lastIndexOf('/*')))
  if (list?.keywords.some(({ keyword }) => /contains/i.test(keyword)) !== true) return true
  const target = placeOf(root, place)
  return (
    target === null || !model.isValidBody(body) || model.isValidBody(setAt(body, place, plainValue(target)))
  )
}

/** The body with one more item in a list, of several lists in the last one; null if there is no list. */
const inserted = (body: Json, names: readonly string[], item: Json): Json | null => {
  const [name, ...rest] = names
  if (name === undefined) return isArray(body) ? [...body, item] : null
  const key = name === '*' && isArray(body) ? String(body.length - 1) : name
  const inner = (body as Readonly<Record<string, Json>> | null)?.[key]
  const changed = inner === undefined ? null : inserted(inner, rest, item)
  return changed === null ? null : setAt(body, step('', key), changed)
}
