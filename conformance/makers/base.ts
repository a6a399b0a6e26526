import {
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
  type Where,
} from '../../spec/index.ts'
import type { Draft } from '../case.ts'
import { labelOf } from '../label.ts'
import type { Model, ParameterModel } from '../model.ts'
import { createSampler } from '../sample.ts'
import type { MakerContext } from './maker.ts'

/** The plainest valid request, a different one for each number. */
export const plainDrafts = (context: MakerContext): ((number: number) => Draft) => {
  const { operation, body, parameters } = context.model
  const required = parameters
    .filter(({ parameter }) => parameter.required)
    .map(own => ({ name: own.parameter.name, sound: soundParameters(own) }))
  const soundBody = soundBodies(context.model)
  return number => {
    const label = labelOf(number)
    const values = required.map(({ name, sound }) => [name, sound(label, number)])
    const value = body === null ? undefined : withIdentity(context, soundBody(label, number), number)
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

type Sound = (label: string, number: number) => Json

const soundParameters = ({ root, holds, generator }: ParameterModel): Sound => {
  const generated = generatedValues(generator, holds)
  return (label, number) => {
    const plain = root === null ? label : plainValue(root, null, label)
    return holds(plain) ? plain : (generated(number) ?? plain)
  }
}

const drawn = 64

// Drawn once, as every case asks for one; a limit that no double holds is only known to the validator.
const generatedValues = (
  generator: ParameterModel['generator'],
  holds: ParameterModel['holds'],
): ((number: number) => Json | undefined) => {
  return number => {
    const values = drawnValues.get(generator) ?? drawFrom(generator, holds)
    drawnValues.set(generator, values)
    return values[number % values.length]
  }
}

const drawnValues = new WeakMap<ParameterModel['generator'], readonly Json[]>()

const drawFrom = (
  generator: ParameterModel['generator'],
  holds: ParameterModel['holds'],
): readonly Json[] => {
  const valid = generator()?.valid
  const sample = valid === undefined || 'refused' in valid ? null : createSampler(valid, 0, 'plain')
  return sample === null ? [] : Array.from({ length: drawn }, (_, index) => sample(index)).filter(holds)
}

/** The plainest body that the schema takes: what is required, else everything, else what the generator makes. */
const soundBodies = (model: Model): Sound => {
  const generated = generatedValues(model.bodyGenerator, model.holds)
  return (label, number) => {
    const { root, in: part } = model.body as NonNullable<Model['body']>
    const least = plainValue(root, null, label)
    const plain = part === 'form' ? withPlain(model, least, root.required, label) : least
    if (model.holds(plain)) return plain
    const whole = withPlain(model, plain, root.properties, label)
    if (model.holds(whole)) return whole
    const value = generated(number)
    return value === undefined ? plain : withoutOptional(model, value)
  }
}

/** The body without the properties that it holds without. */
const withoutOptional = (model: Model, body: Json): Json =>
  isObject(body)
    ? Object.keys(body).reduce<Json>((left, name) => {
        const less = setAt(left, step('', name), undefined)
        return model.holds(less) ? less : left
      }, body)
    : body

/** The body with the identity of this number, which stands first, as people write it. */
export const withIdentity = ({ identities }: MakerContext, value: Json, number: number): Json =>
  identities !== null && isObject(value)
    ? { [identities.name]: identities.at(number), ...without(value, identities.name) }
    : value

export const without = (
  values: Readonly<Record<string, Json>>,
  name: string,
): Readonly<Record<string, Json>> => {
  const { [name]: _left, ...rest } = values
  return rest
}

export const optionalOf = ({ body }: Model): readonly string[] =>
  body?.root.properties.filter(name => !body.root.required.includes(name)) ?? []

/** The draft with these optional properties of the body as well. */
export const withOptional = (model: Model, draft: Draft, names: readonly string[], label: string): Draft => ({
  ...draft,
  body: draft.body === undefined ? undefined : withPlain(model, draft.body, names, label),
})

/** The body with the plainest values of these properties. In a form a list without items would not be there. */
const withPlain = ({ body }: Model, value: Json, names: readonly string[], label: string): Json =>
  names.reduce<Json>((rest, name) => {
    const place = body === null ? null : placeOf(body.root, step('', name))
    if (place === null) return rest
    const toward = body?.in === 'form' ? (place.children[0]?.pattern ?? null) : null
    return setAt(rest, place.pattern, plainValue(place, toward, label))
  }, value)

/** With every optional property, each with a label of its own. */
export const rich = (model: Model, draft: Draft, number: number): Draft =>
  withOptional(model, draft, optionalOf(model), labelOf(number, 'optional'))

/** With the optional properties that it has not yet. */
export const withRest = (model: Model, draft: Draft, number: number): Draft => {
  const { body } = draft
  const names = optionalOf(model).filter(name => !isObject(body) || !Object.hasOwn(body, name))
  return withOptional(model, draft, names, labelOf(number, 'optional'))
}

export const rootOf = (model: Model, where: Where): SchemaPlace | null =>
  (isOfBody(where)
    ? model.body?.root
    : model.parameters.find(({ parameter }) => parameter.name === where.name && parameter.in === where.in)
        ?.root) ?? null

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
  if (!isOfBody(where)) {
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
  return {
    ...draft,
    body: setAt(bodyToward(context, draft, where.place, number), where.place, value),
    renewable: draft.renewable && !isIdentity(context, where),
  }
}

export const isIdentity = ({ identities }: MakerContext, where: Where): boolean =>
  identities !== null && isOfBody(where) && where.place === step('', identities.name)

/** A sound body with what lies on the way to a place of it. */
export const bodyToward = (context: MakerContext, draft: Draft, place: Pointer, number: number): Json => {
  const { model } = context
  const root = model.body?.root
  if (root === undefined) return null
  const plain = withIdentity(context, plainValue(root, place, labelOf(number)), number)
  if ((model.holds(plain) && model.body?.in !== 'form') || draft.body === undefined) return plain
  // Where only alternatives say what a body has, the plainest value of its places is not sound, nor may it be in a form:
  // that on the way is put into one that is.
  return steps(place).reduce<Json>((body, _name, index, names) => {
    const way = names.slice(0, index + 1).reduce(step, '')
    const own = placeOf(root, way)
    return own === null || isThere(body, way)
      ? body
      : setAt(body, way, plainValue(own, place, labelOf(number)))
  }, draft.body)
}

const isThere = (value: Json, pattern: Pointer): boolean => {
  const [name, ...rest] = steps(pattern)
  if (name === undefined) return true
  const inner = isArray(value)
    ? value[name === '*' ? 0 : Number(name)]
    : isObject(value)
      ? Object.hasOwn(value, name) || name !== '*'
        ? value[name]
        : Object.values(value)[0]
      : undefined
  return inner !== undefined && isThere(inner, rest.reduce(step, ''))
}
