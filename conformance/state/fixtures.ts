import { type Json, type PathName, rawNumber } from '../../spec/index.ts'
import type { ParameterModel } from '../cases/operation-model.ts'
import type { Fixtures } from '../options/fixtures.ts'

/** The fixtures of one operation: each value may be taken away only once. */
export type OperationFixtures = {
  /** The value of a parameter; null if none is given, undefined if all of them were used up. */
  readonly valueOf: (parameter: string) => Json | null | undefined
  readonly isGiven: (parameter: string) => boolean
  readonly use: (parameter: string) => void
}

export const fixturesOf = (
  fixtures: Fixtures,
  operation: string,
  parameters: readonly ParameterModel[],
): OperationFixtures => {
  const used = new Map<string, number>()
  const valuesOf = (name: string): readonly Json[] | undefined =>
    fixtures[`${operation}.${name}`] ?? fixtures[`*.${name}`]
  return {
    isGiven: name => valuesOf(name) !== undefined,
    valueOf: name => {
      const values = valuesOf(name)
      if (values === undefined) return null
      const value = values[used.get(name) ?? 0]
      const model = parameters.find(({ parameter }) => parameter.name === name)
      return value === undefined ? undefined : spelled(value, model)
    },
    use: name => {
      used.set(name, (used.get(name) ?? 0) + 1)
    },
  }
}

/** A text of the command line as the type that the parameter has. */
const spelled = (value: Json, model: ParameterModel | undefined): Json => {
  if (model === undefined || typeof value !== 'string' || model.isValid(value)) return value
  const candidates: readonly Json[] = [
    ...(/^-?\d+(\.\d+)?$/.test(value) ? [rawNumber(value)] : []),
    ...(value === 'true' || value === 'false' ? [value === 'true'] : []),
  ]
  return candidates.find(candidate => model.isValid(candidate)) ?? value
}

/** What a user can do about an operation that asks for something that nobody creates. */
export const fixtureHint = (operation: string, names: readonly PathName[]): string =>
  `name one that exists with --fixture ${names.map(({ parameter }) => `${operation}.${parameter}=VALUE`).join(' --fixture ')}`
