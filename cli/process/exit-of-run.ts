import { isTestedBy, type Ledger } from '../../spec/index.ts'
import { exitCodes } from './exit.ts'

/**
 * `minTested`: the share of what counts that a run without failures has to test to succeed. A run that tested all that it could is held to
 * it only if somebody asks for a share: by default it succeeds, and its headline says what could not be tested.
 */
export const exitCodeOf = (ledger: Ledger, minTested: number): number => {
  switch (ledger.end?.conclusion) {
    case 'conformant':
    case 'accepted':
      return minTested > 0 && minTested < 1 && !isTestedBy(ledger, minTested)
        ? exitCodes.inconclusive
        : exitCodes.conformant
    case 'outdated':
      return exitCodes.outdated
    case 'nonconformant':
      return exitCodes.nonconformant
    case 'partial':
      return isTestedBy(ledger, minTested) ? exitCodes.conformant : exitCodes.inconclusive
    default:
      return exitCodes.inconclusive
  }
}
