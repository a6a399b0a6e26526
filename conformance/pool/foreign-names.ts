import {
  canBeName,
  type Json,
  nounNamed,
  nounOfPath,
  type Operation,
  plainName,
  resourcesOf,
  steps,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { nameText } from './is-named.ts'
import { leastLetters, scalarsIn } from './shown.ts'

/** What is known of the names that a request has. */
type Names = {
  readonly wasThereBefore: (name: Json, noun: string | null, operation: string) => boolean
  readonly isNameOfOwn: (name: Json, least?: number) => boolean
}

/**
 * Why a request is not to be sent that names what the run did not create to an operation which may finish or change that, such as `submitForm` with the
 * id of a task; null if it may be. Only for operations that may act on what they name (see `mayActOn`).
 */
export const refusalOfForeignNames = (
  { operation, contract, parameters }: OperationModel,
  spec: RequestSpec | undefined,
  { wasThereBefore, isNameOfOwn }: Names,
): string | null => {
  if (spec === undefined || resourcesOf(contract).createdBy(operation) !== null) return null
  const isOfOther = (name: string, given: Json): boolean => {
    const of = nounNamed(name)
    // `1.0` and `1e0` are spellings of 1.
    const value = typeof given === 'string' ? given : Number(nameText(given))
    if (of === null || isNameOfOwn(value, 1)) return false
    // A short one may be any value.
    const noun = of === '' || nameText(value).length >= leastLetters ? null : of
    return (noun !== null || nameText(value).length >= leastLetters) && wasThereBefore(value, noun, '')
  }
  // What a path names is chosen with care anyway.
  const beside = parameters.flatMap(({ parameter: { name, in: part } }) => {
    const value = spec.parameters[name]
    return part === 'path' || value === undefined || !canBeName(value) ? [] : [[name, value] as const]
  })
  const given = [
    ...beside,
    ...[...scalarsIn(spec.body ?? null, '')].map(({ place, value }) => [propertyOf(place), value] as const),
  ]
  const other = given.find(([name, value]) => isOfOther(name, value))
  const { method, path } = operation
  return other === undefined
    ? null
    : `may change what the run did not create (${other[0]}): --include '${method} ${path}' sends it`
}

/** `taskIds` of `/taskIds/0` */
const propertyOf = (place: string): string => steps(place).findLast(name => !/^\d+$/.test(name)) ?? ''

/** Whether a parameter of this name asks for resources of several kinds, as `{row_id}` of each table may. */
export const severalNamedBy = (operations: readonly Operation[]): ((parameter: string) => boolean) => {
  const nouns = new Map<string, Set<string>>()
  for (const { path } of operations) {
    const [, before, name = ''] = /^(.*)\{([^{}/]+)\}\/?$/.exec(path) ?? []
    if (before === undefined) continue
    const of = nouns.get(plainName(name)) ?? new Set()
    nouns.set(plainName(name), of.add(nounOfPath(before)))
  }
  return parameter => (nouns.get(plainName(parameter))?.size ?? 0) > 1
}
