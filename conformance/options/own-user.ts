import type { Json } from '../../spec/index.ts'
import { claimsOf } from './token-source.ts'

/** Claims of a JWT that say whose it is. */
const claims = [
  ...['sub', 'id', 'uid', 'user', 'userId', 'user_id', 'user_name', 'username', 'preferred_username'],
  ...['upn', 'oid', 'unique_name', 'email', 'name', 'login'],
]

/** What the server may call the user whom a token belongs to: the user of Basic credentials, and what a JWT says. */
export const ownNames = (token: string): ReadonlySet<string> => {
  const [user] = /^[^:\s]+(?=:)/.exec(token) ?? []
  const said = claimsOf(token) ?? {}
  const names = claims
    .map(name => said[name])
    .filter(name => typeof name === 'string' || typeof name === 'number')
  return new Set([...(user === undefined ? [] : [user]), ...names.map(String)])
}

/** Whether something has the name of the user whom a token belongs to. */
export const isOwnName = (token: string, name: Json | undefined): boolean =>
  (typeof name === 'string' || typeof name === 'number') && ownNames(token).has(String(name))

export const ownReason = 'it would change or remove the user whose credentials the tests have'
