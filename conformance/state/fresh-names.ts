import { deriveSeed } from '../../generator/index.ts'
import {
  digitsAt,
  isObject,
  type Json,
  type PathName,
  propertyFor,
  type Resource,
  rawNumber,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { shownForm } from '../cases/declared-examples.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { createRandomValues } from '../cases/random-values.ts'
import { renderRequest } from '../cases/render.ts'
import { plainParameters } from '../cases/strategies/plain-spec.ts'
import { caseWith, withName } from '../pool/bound-spec.ts'

/** A value of a path parameter that nothing has been named yet; undefined if it allows only a few numbers. */
export type FreshNames = (model: OperationModel, parameter: string) => Json | undefined

/** Each value is given out once. The same seed gives the same ones. */
export const createFreshNames = (seed: number): FreshNames => {
  const random = new Map<OperationModel, ReturnType<typeof createRandomValues>>()
  let count = 0
  return (model, name) => {
    const parameter = model.parameters.find(
      candidate => candidate.parameter.in === 'path' && candidate.parameter.name === name,
    )
    const base = deriveSeed(seed, 'names')
    const number = count++
    if (parameter === undefined) return nameOf(base, number)
    // Below 2^31, and above what a small store has.
    const digits = String(1_000_000_000 + (((base % 100_000) * 10_000 + number) % 1_000_000_000))
    const usual: readonly Json[] = [nameOf(base, number), uuid(base, number), rawNumber(digits)]
    const types = parameter.root?.types ?? null
    const form = shownForm(model, parameter)
    const isUuid =
      form === 'uuid' ||
      parameter.root?.keywords.some(({ keyword, value }) => keyword === 'format' && value === 'uuid')
    const isNumeric = types?.includes('integer') === true || types?.includes('number') === true
    if (form === 'digits' && !isNumeric && parameter.isValid(digits)) return digits
    const fitting = usual.find(
      (value, index) =>
        (index === 1 || isUuid !== true) && (index === 2) === isNumeric && parameter.isValid(value),
    )
    if (fitting !== undefined || isNumeric) return fitting
    const values = random.get(model) ?? createRandomValues(model, base)
    random.set(model, values)
    return values.parameter(name, number) ?? plainParameters(parameter)(`q${base.toString(36)}`, number)
  }
}

/** Letters and digits alone: many servers allow nothing else. */
const nameOf = (base: number, number: number): string => `plantstore${base.toString(36)}x${number}`

const uuid = (base: number, number: number): string =>
  `${base.toString(16).padStart(8, '0')}-0000-4000-9000-${number.toString(16).padStart(12, '0')}`

const nobodysDigits = '1987654321'

/** A value of a path parameter that nothing is called, of no form that names of the server may have; undefined if it has to be a number. */
export const nobodysName = ({ parameters }: OperationModel, name: string): Json | undefined => {
  const text = 'nobody7q9z'
  const found = parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)
  if (digitsAt(found?.root) !== null)
    return found?.isValid(nobodysDigits) === true ? nobodysDigits : undefined
  return found?.isValid(text) === true ? text : undefined
}

/** An undeclared method is asked of what nobody has: the answer may depend on whether something is there. */
export const ofNobody = (
  model: OperationModel,
  names: readonly PathName[],
  fresh: FreshNames,
  testCase: TestCase,
  token: string,
): TestCase => {
  const last = names.at(-1)?.parameter
  const isDeclared = testCase.spec.path === model.operation.path
  const name = last === undefined || !isDeclared ? undefined : fresh(model, last)
  if (last === undefined || name === undefined) return testCase
  const spec = { ...testCase.spec, parameters: { ...testCase.spec.parameters, [last]: name } }
  return caseWith(model, testCase, spec, testCase.chain, token) ?? testCase
}

/**
 * A request that creates a resource, with a name of its own if its body names the resource and need not: a server would take two resources of
 * one name for one. Identities, which have to be in the body, are fresh anyway. Null: there is
 * no unused name for it.
 */
export const withOwnName = (
  testCase: TestCase,
  model: OperationModel,
  { create, names }: Resource,
  unusedName: () => Json | undefined,
): TestCase | null => {
  const { spec } = testCase
  const key = propertyFor(spec.body ?? null, names.slice(0, 2))
  if (create === null || model.identity !== null || key === null || !isObject(spec.body)) return testCase
  const name = unusedName()
  if (name === undefined) return null
  const body = withName(model, spec.body, key, name)
  if (!model.isValidBody(body)) return testCase
  const named = { ...spec, body }
  return { ...testCase, spec: named, request: renderRequest(model.operation, named) }
}
