import type { Missing } from './creator.ts'

/** Ends a chain that cannot go on: that a request was not answered as it should be is for other obligations to tell. */
export class ChainInterrupted extends Error {}

/** What was found. Throws ChainInterrupted if nothing was. */
export const found = <T extends object>(result: T | Missing): T => {
  if ('missing' in result) throw new ChainInterrupted(result.missing)
  return result
}
