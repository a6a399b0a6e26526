import { isTestedBy, type Ledger } from '../../spec/index.ts'
import { exitCodes } from './exit.ts'

/** `minTested`: the share of what counts that a partial run without failures has to test to succeed. */
export const exitCodeOf = (ledger: Ledger, minTested: number): number => {
  switch (ledger.end?.conclusion) {
    case 'conformant':
    case 'accepted':
      return exitCodes.conformant
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
