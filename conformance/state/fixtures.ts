import {
  endsInName,
  type Json,
  type Obligation,
  type Operation,
  type PathName,
  type ResourceGraph,
  rawNumber,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel, ParameterModel } from '../cases/operation-model.ts'
import type { Fixtures } from '../options/run-options.ts'
import type { Missing } from './creator.ts'
import type { InstancePool } from './instance-pool.ts'

/** The fixtures of one operation: each value may be taken away only once. */
export type OperationFixtures = {
  /** The value of a parameter; null if none is given, undefined if all of them were used up. */
  readonly valueOf: (parameter: string) => Json | null | undefined
  readonly isGiven: (parameter: string) => boolean
  /** Keeps the value from other cases, which might find that it is gone; null and undefined as above. */
  readonly take: (parameter: string) => Json | null | undefined
  readonly putBack: (parameter: string, value: Json) => void
}

/**
 * `removed`: the parameter that names what the operation takes away. Other operations may ask for the same, so it has to be named for
 * this very operation; null: it takes nothing away.
 */
export const fixturesOf = (
  fixtures: Fixtures,
  operation: string,
  parameters: readonly ParameterModel[],
  removed: string | null,
): OperationFixtures => {
  const left = new Map<string, Json[]>()
  for (const model of parameters) {
    const { name } = model.parameter
    const ofAll = name === removed ? undefined : fixtures[`*.${name}`]
    const values = fixtures[`${operation}.${name}`] ?? ofAll
    if (values !== undefined)
      left.set(
        name,
        values.map(value => spelled(value, model)),
      )
  }
  return {
    isGiven: name => left.has(name),
    valueOf: name => (left.has(name) ? left.get(name)?.[0] : null),
    take: name => (left.has(name) ? left.get(name)?.shift() : null),
    putBack: (name, value) => {
      left.get(name)?.unshift(value)
    },
  }
}

/** The parameter that names what an operation takes away; null if it takes nothing away. */
export const removedBy = ({ method, path }: Operation, names: readonly PathName[]): string | null =>
  method === 'DELETE' && endsInName(path) ? (names.at(-1)?.parameter ?? null) : null

/** A text of the command line as the type that the parameter has. */
const spelled = (value: Json, model: ParameterModel): Json => {
  if (typeof value !== 'string' || model.isValid(value)) return value
  const candidates: readonly Json[] = [
    ...(/^-?\d+(\.\d+)?$/.test(value) ? [rawNumber(value)] : []),
    ...(value === 'true' || value === 'false' ? [value === 'true'] : []),
  ]
  return candidates.find(candidate => model.isValid(candidate)) ?? value
}

/** What a path names by its fixtures, and by resources around them that have none. `taken`: the parameter of what is removed; null: nothing is. */
export const namesFromFixtures = async (
  { id }: Operation,
  fixtures: OperationFixtures,
  instancePool: InstancePool,
  names: readonly PathName[],
  taken: string | null,
): Promise<readonly Json[] | Missing> => {
  const values: Json[] = []
  for (const { parameter, resource } of names) {
    const value = parameter === taken ? fixtures.take(parameter) : fixtures.valueOf(parameter)
    if (value === undefined)
      return { missing: `all values of ${id}.${parameter} were used up: name more of them with --fixture` }
    if (value !== null) {
      values.push(value)
      continue
    }
    const instance = await instancePool.acquire(resource, 'read')
    if ('missing' in instance) return instance
    values.splice(0, values.length, ...instance.values)
  }
  return values
}

/** The request with the values that a user has named for parameters outside the path. */
export const withFixtures = (
  model: OperationModel,
  fixtures: OperationFixtures,
  spec: RequestSpec,
  { subject }: Obligation,
): RequestSpec => {
  const tested = 'location' in subject ? subject.location.name : null
  const values = model.parameters.flatMap(({ parameter: { name, in: part } }) => {
    const value = part === 'path' || name === tested ? null : fixtures.valueOf(name)
    return value === null || value === undefined ? [] : [[name, value] as const]
  })
  return { ...spec, parameters: { ...spec.parameters, ...Object.fromEntries(values) } }
}

/**
 * Why an operation has nothing to ask for, and what a user can do about it: one flag for all operations, if they mean the same by a name. It is
 * as it is if it says so already, of an operation before.
 */
export const withFixtureHint = (
  reason: string,
  { resources }: ResourceGraph,
  operation: Operation,
  names: readonly PathName[],
): string => {
  const removed = removedBy(operation, names)
  if (/--(?:fixture|created) /.test(reason)) return reason
  const flags = names.map(({ parameter, resource }) => {
    const isOfMany = resources.some(each => each !== resource && each.path.endsWith(`{${parameter}}`))
    return isOfMany || parameter === removed
      ? `--fixture ${operation.id}.${parameter}=VALUE`
      : `--fixture '*.${parameter}=VALUE'`
  })
  return `${reason}: name one that exists with ${flags.join(' ')}`
}
