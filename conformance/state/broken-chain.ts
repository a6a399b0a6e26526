import type { Missing } from './maker.ts'

/** Ends a chain that cannot go on: that a request was not answered as it should be is for other obligations to tell. */
export class BrokenChain extends Error {}

/** What was found. Throws BrokenChain if nothing was. */
export const found = <T extends object>(result: T | Missing): T => {
  if ('missing' in result) throw new BrokenChain(result.missing)
  return result
}
