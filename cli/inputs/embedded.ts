import { createMock } from '../../mock/index.ts'
import type { Contract, UnauthenticatedPolicy } from '../../spec/index.ts'
import { embeddedMock, type Target } from '../options/server-flags.ts'
import { type Token, tokenNow } from './tokens/token.ts'

// A token that nobody knows, so that the mock can tell wrong tokens from the right one if none is given.
const embeddedToken = 'embedded-mock-token'

export type Reached = { readonly target: URL; readonly token: Token }

type EmbeddedOptions = {
  readonly contract: Contract
  readonly token: Token
  readonly unauthenticated: UnauthenticatedPolicy
  /** Whether the mock takes any well-formed token if none is given, as if none were known of it either. Default false. */
  readonly takesAnyToken?: boolean
  /** Where its callbacks are listened for; it sends none if nobody does. */
  readonly listen?: object
}

/** Calls `use` with the server of a target, and starts the embedded mock for that time if it is the target. */
export const withTarget = async <T>(
  server: Target,
  { contract, token, unauthenticated, takesAnyToken = false, listen }: EmbeddedOptions,
  use: (reached: Reached) => Promise<T>,
): Promise<T> => {
  if (server !== embeddedMock) return use({ target: server, token })
  // The mock knows the tokens that it is given, so that one has to do.
  const asks = contract.operations.some(({ security }) => security.length > 0)
  const right = (await tokenNow(token)) ?? (takesAnyToken || !asks ? undefined : embeddedToken)
  const mock = await createMock({
    contract,
    tokens: right === undefined ? undefined : [right],
    unauthenticated,
    callbacks: listen !== undefined,
  })
  try {
    return await use({ target: new URL(mock.url), token: right })
  } finally {
    await mock.close()
  }
}
