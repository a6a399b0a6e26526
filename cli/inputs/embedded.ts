import { createMock } from '../../mock/index.ts'
import type { Contract, UnauthenticatedPolicy } from '../../spec/index.ts'
import { embeddedMock, type Target } from '../options/server-target.ts'

// Known to nobody, so that wrong tokens can be told from the right one without any being given.
const embeddedToken = 'embedded-mock-token'

type Reached = { readonly url: URL; readonly token: string | undefined }

/** Hands the server at a target to `use`; the embedded mock lives as long as that takes. */
export const withTarget = async <T>(
  target: Target,
  {
    contract,
    token,
    unauthenticated,
  }: {
    readonly contract: Contract
    readonly token: string | undefined
    readonly unauthenticated: UnauthenticatedPolicy
  },
  use: (reached: Reached) => Promise<T>,
): Promise<T> => {
  if (target !== embeddedMock) return use({ url: target, token })
  const right = token ?? embeddedToken
  const mock = await createMock({ contract, tokens: [right], unauthenticated })
  try {
    return await use({ url: new URL(mock.url), token: right })
  } finally {
    await mock.close()
  }
}
