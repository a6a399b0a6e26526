import { isObject, type Json, placeOf, type SchemaPlace, step, type Where } from '../../spec/index.ts'
import type { Draft } from '../case.ts'
import { setAt } from '../edit.ts'
import { labelOf } from '../label.ts'
import type { Model, ParameterModel } from '../model.ts'
import { plainValue } from '../plain.ts'
import type { MakerContext } from './maker.ts'

/** The plainest valid request, a different one for each number. */
export const plainDrafts = (context: MakerContext): ((number: number) => Draft) => {
  const { operation, body, parameters } = context.model
  const required = parameters.filter(({ parameter }) => parameter.required)
  return number => {
    const label = labelOf(number)
    const values = required.map(own => [own.parameter.name, soundParameter(context, own, label, number)])
    const value = body === null ? undefined : withIdentity(context, soundBody(context, label, number), number)
    return {
      method: operation.method,
      path: operation.path,
      parameters: Object.fromEntries(values),
      body: value,
      encoding: value === undefined ? { kind: 'absent' } : { kind: 'json' },
      contentType: body?.media.type ?? null,
      chunked: false,
      credentials: null,
      renewable: context.identities !== null,
      wire: null,
    }
  }
}

const soundParameter = (
  { values }: MakerContext,
  { parameter, root, holds }: ParameterModel,
  label: string,
  number: number,
): Json => {
  const plain = root === null ? label : plainValue(root, null, label)
  return holds(plain) ? plain : (values.parameter(parameter.name, number) ?? plain)
}

/** The plainest body that the schema takes: what is required, else everything, else what the generator makes. */
const soundBody = ({ model, values }: MakerContext, label: string, number: number): Json => {
  const { root } = model.body as NonNullable<Model['body']>
  const plain = plainValue(root, null, label)
  if (model.holds(plain)) return plain
  const whole = root.properties.reduce<Json>((value, name) => {
    const place = placeOf(root, step('', name))
    return place === null ? value : setAt(value, place.pattern, plainValue(place, null, label))
  }, plain)
  return model.holds(whole) ? whole : (values.body(number) ?? plain)
}

/** The body with the identity of this number, which stands first, as people write it. */
export const withIdentity = ({ identities }: MakerContext, value: Json, number: number): Json =>
  identities !== null && isObject(value)
    ? { [identities.name]: identities.at(number), ...without(value, identities.name) }
    : value

export const without = (
  values: Readonly<Record<string, Json>>,
  name: string,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(values).filter(([own]) => own !== name))

export const optionalOf = ({ body }: Model): readonly string[] =>
  body?.root.properties.filter(name => !body.root.required.includes(name)) ?? []

/** The draft with these optional properties of the body as well. */
export const withOptional = (
  { body }: Model,
  draft: Draft,
  names: readonly string[],
  label: string,
): Draft => ({
  ...draft,
  body: names.reduce<Json | undefined>((value, name) => {
    const place = body === null ? null : placeOf(body.root, step('', name))
    return value === undefined || place === null
      ? value
      : setAt(value, place.pattern, plainValue(place, null, label))
  }, draft.body),
})

/** With every optional property, each with a label of its own. */
export const rich = (model: Model, draft: Draft, number: number): Draft =>
  withOptional(model, draft, optionalOf(model), labelOf(number, 'optional'))

export const rootOf = (model: Model, { in: where, name }: Where): SchemaPlace | null =>
  (where === 'body'
    ? model.body?.root
    : model.parameters.find(({ parameter }) => parameter.name === name && parameter.in === where)?.root) ??
  null

/** The draft with a value at a place of its body or of a parameter, and with what lies on the way there. */
export const put = (
  context: MakerContext,
  draft: Draft,
  where: Where,
  value: Json | undefined,
  number: number,
): Draft | null => {
  const root = rootOf(context.model, where)
  if (root === null) return null
  const label = labelOf(number)
  if (where.in !== 'body') {
    const whole = where.place === '' ? value : setAt(plainValue(root, where.place, label), where.place, value)
    return {
      ...draft,
      parameters:
        whole === undefined
          ? without(draft.parameters, where.name)
          : { ...draft.parameters, [where.name]: whole },
    }
  }
  if (where.place === '') return { ...draft, body: value }
  const body = withIdentity(context, plainValue(root, where.place, label), number)
  return {
    ...draft,
    body: setAt(body, where.place, value),
    renewable: draft.renewable && !isIdentity(context, where),
  }
}

export const isIdentity = ({ identities }: MakerContext, where: Where): boolean =>
  identities !== null && where.in === 'body' && where.place === step('', identities.name)
