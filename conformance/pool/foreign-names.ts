import {
  canBeName,
  isNamingName,
  isUserChange,
  type Json,
  nounNamed,
  nounOfPath,
  type Operation,
  plainName,
  resourcesOf,
  showsOwnUser,
  singular,
  steps,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isOwnName, ownReason } from '../options/own-user.ts'
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

/** Whose the credentials of a run are, as far as the server or they themselves tell. */
export type OwnUser = {
  readonly learn: (operation: Operation, response: Json) => void
  /** Why a request is not to be sent: it may change or remove that user, and then the run would show nothing more. Null if it may be. */
  readonly refusal: (model: OperationModel, spec: RequestSpec | undefined, token: string) => string | null
}

/** Whether a property names a user: in a response about one, and in a request that changes one. */
const isName = (name: string): boolean => isNamingName(singular(plainName(name))) || ofUser.test(name)

const ofUser = /user|account|member|e-?mail|^sub$/i

/** `isFound`: whether the server has shown this name, and not because the run had created it. */
export const createOwnUser = (isFound: (name: Json) => boolean): OwnUser => {
  const known = new Set<string>()
  const isOwn = (token: string, value: Json): boolean => isOwnName(token, value) || known.has(nameText(value))
  /** A text: as long as nobody says whose the credentials are, they may be those of any user that was there. A number may be one of anything. */
  const mayBeOwn = (value: Json): boolean =>
    known.size === 0 && typeof value === 'string' && !/^\d+$/.test(value) && isFound(value)
  return {
    learn: (operation, response) => {
      if (!showsOwnUser(operation)) return
      for (const { value, name, place } of scalarsIn(response, 'user'))
        if (isName(name) && !/\d/.test(place) && place.split('/').length <= mostDeep)
          known.add(nameText(value))
    },
    refusal: ({ operation, contract }, spec, token) => {
      if (spec === undefined || !isUserChange(operation)) return null
      const { namesIn, createdBy } = resourcesOf(contract)
      // Something new below the user leaves it as it is.
      const isBelow =
        operation.method === 'POST' && createdBy(operation) !== null && namesIn(operation).length > 0
      const inPath = isBelow ? [] : Object.values(spec.parameters)
      const inBody = [...scalarsIn(spec.body ?? null, '')]
        .filter(({ name, holder }) => isName(name) || isName(holder))
        .map(({ value }) => value)
      const isRefused = [...inPath, ...inBody].some(value => isOwn(token, value)) || inBody.some(mayBeOwn)
      return isRefused ? ownReason : null
    },
  }
}

/** The user itself, or in an envelope. */
const mostDeep = 3
