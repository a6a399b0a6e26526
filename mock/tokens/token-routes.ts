import type { AdminRoutes } from '../admin/routes.ts'
import type { GivenTokens } from './given.ts'

/** `DELETE /__plantstore/tokens`: the tokens that were given so far have expired. */
export const tokenRoutes = ({ expire }: GivenTokens): AdminRoutes => ({
  'DELETE /tokens': () => {
    expire()
    return { status: 204, headers: [], body: new Uint8Array() }
  },
})
