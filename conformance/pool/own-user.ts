import {
  isNamingName,
  isUserChange,
  type Json,
  type Operation,
  plainName,
  resourcesOf,
  showsOwnUser,
  singular,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isOwnName, ownReason } from '../options/own-user.ts'
import { nameText } from './is-named.ts'
import { scalarsIn } from './shown.ts'

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
