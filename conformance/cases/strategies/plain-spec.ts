import { isNumber, isObject, isWaitName, type Json, plainValue, setAt, step } from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { withFiles } from '../files.ts'
import type { OperationModel, ParameterModel } from '../operation-model.ts'
import { plainSamples } from '../valid-value.ts'
import { labelOf, withAllOptional, withPlainValues } from '../with-optional.ts'
import { withIdentity } from './edit-spec.ts'
import type { PlainSpec, StrategyContext } from './strategy.ts'

/** Makes the plainest valid request, a different one for each number. */
export const plainSpecs = (context: StrategyContext): PlainSpec => {
  const { operation, body, parameters } = context.model
  const required = parameters
    .filter(({ parameter }) => parameter.required)
    .map(model => ({ name: model.parameter.name, value: plainParameters(model) }))
  const plainBody = plainBodies(context.model)
  return number => {
    const label = labelOf(number)
    const value =
      body === null
        ? undefined
        : withIdentity(context, withFiles(context.model, plainBody(label, number)), number)
    return {
      method: operation.method,
      path: operation.path,
      parameters: Object.fromEntries(required.map(({ name, value: of }) => [name, of(label, number)])),
      body: value,
      encoding: value === undefined ? { kind: 'absent' } : { kind: 'json' },
      contentType: body?.media.type ?? null,
      chunked: false,
      queryEscapes: false,
      credentials: null,
      extra: [],
      renewable: context.identities !== null,
      derivedFrom: null,
      malformedHttp: null,
    }
  }
}

/** The request with something in its form. */
export const filledForm = (context: StrategyContext, spec: RequestSpec, number: number): RequestSpec => {
  const { model, values } = context
  const isEmpty = ({ body }: RequestSpec): boolean => isObject(body) && Object.keys(body).length === 0
  if (model.body?.in !== 'form' || !isEmpty(spec)) return spec
  const whole = withAllOptional(model, spec, number)
  const isRight = (each: RequestSpec): boolean =>
    !isEmpty(each) && each.body !== undefined && model.isValidBody(each.body)
  if (isRight(whole)) return whole
  const random = Array.from({ length: mostTried }, (_, at) => ({ ...spec, body: values.body(number + at) }))
  return random.find(isRight) ?? whole
}

/** So many random bodies are tried. */
const mostTried = 8

/** What parameters that say how long the server is to wait have, whatever their unit. */
export const shortWait = 1

type PlainValue = (label: string, number: number) => Json

/** Makes the plainest valid value of a parameter. */
export const plainParameters = ({ parameter, root, isValid, generator }: ParameterModel): PlainValue => {
  const generated = generatedValues(generator, isValid)
  return (label, number) => {
    const plain = root === null ? label : plainValue(root, null, label)
    // Nobody has to wait longer than this for what is not about it.
    if (isNumber(plain) && isWaitName(parameter.name) && isValid(shortWait)) return shortWait
    if (isValid(plain)) return plain
    // Of a list that may be empty, an item; of an object without required properties, a property.
    const child = root?.children[0]
    const fuller = root === null || child === undefined ? plain : plainValue(root, child.pattern, label)
    return isValid(fuller) ? fuller : (generated(number) ?? plain)
  }
}

/** Why no valid request of an operation can be made; null if one can. */
export const impossibility = (model: OperationModel): string | null => {
  const known = impossibilities.get(model)
  if (known !== undefined) return known
  const reason = model.unsupported ?? withoutValue(model)
  impossibilities.set(model, reason)
  return reason
}

const impossibilities = new WeakMap<OperationModel, string | null>()

const withoutValue = (model: OperationModel): string | null => {
  const { body, parameters } = model
  if (body !== null && !model.isValidBody(plainBodies(model)('a', 0)))
    return noValue('body', model.bodyGenerator)
  const impossible = parameters.find(
    each => each.parameter.required && !each.isValid(plainParameters(each)('a', 0)),
  )
  return impossible === undefined
    ? null
    : noValue(`${impossible.parameter.in} parameter ${impossible.parameter.name}`, impossible.generator)
}

const noValue = (what: string, generator: ParameterModel['generator']): string => {
  const valid = generator()?.valid
  const detail = valid !== undefined && 'unsupported' in valid ? `: ${valid.unsupported}` : ''
  return `no valid ${what} was found${detail}`
}

/** The plainest body that is valid: with what is required, else with everything, else what the generator makes. */
const plainBodies = (model: OperationModel): PlainValue => {
  const generated = generatedValues(model.bodyGenerator, model.isValidBody)
  return (label, number) => {
    const { root, in: part } = model.body as NonNullable<OperationModel['body']>
    const least = plainValue(root, null, label)
    if (part !== 'form' && model.isValidBody(least)) return least
    // Patterns and alternatives need a generator.
    const plain = withPlainValues(model, least, root.required, label)
    if (model.isValidBody(plain)) return plain
    const whole = withPlainValues(model, plain, root.properties, label)
    if (model.isValidBody(whole)) return whole
    const value = generated(number)
    return value === undefined ? plain : withoutOptional(model, value)
  }
}

/** The body without those properties that it is valid without. */
const withoutOptional = (model: OperationModel, body: Json): Json =>
  isObject(body)
    ? Object.keys(body).reduce<Json>((rest, name) => {
        const smaller = setAt(rest, step('', name), undefined)
        return model.isValidBody(smaller) ? smaller : rest
      }, body)
    : body

const sampleSize = 64

// Sampled once per generator, as every case needs one. Only the validator knows a limit that no double holds.
const generatedValues =
  (
    generator: ParameterModel['generator'],
    isValid: ParameterModel['isValid'],
  ): ((number: number) => Json | undefined) =>
  number => {
    const values = samples.get(generator) ?? plainSamples(generator(), isValid, sampleSize)
    samples.set(generator, values)
    return values[number % values.length]
  }

const samples = new WeakMap<ParameterModel['generator'], readonly Json[]>()
