import { summarise } from '../reports/view/summary.ts'
import type { Conclusion, Ledger } from '../spec/index.ts'

/** What a run concludes, but for being short: most tests send fewer cases than the contract needs. */
export const conclusionSoFar = (ledger: Ledger): Conclusion | undefined =>
  summarise(ledger).needed === null ? ledger.end?.conclusion : 'conformant'

/** For the command: success of a short run that tested all that counts. */
export const allTested = ['--min-tested', '0.999'] as const
