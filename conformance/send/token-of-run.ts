import type { Secret } from '../../spec/index.ts'
import { type CurrentToken, fixedToken, renewableToken } from '../options/current-token.ts'
import type { TokenSource } from '../options/token-source.ts'
import { madeUpToken } from './transport/index.ts'

/** The token of a run. Adds every one that is used to the secrets. */
export const tokenOfRun = async (
  given: string | TokenSource | undefined,
  at: string,
  secrets: Secret[],
): Promise<CurrentToken> => {
  const onToken = (token: string): void => {
    if (!secrets.includes(token)) secrets.unshift(token)
  }
  if (typeof given === 'function') return renewableToken(given, { at, onToken })
  if (given !== undefined) onToken(given)
  return fixedToken(given ?? madeUpToken)
}
