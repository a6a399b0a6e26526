import { type Contract, loadContract } from '../../../spec/index.ts'
import type { Evolution } from '../difference.ts'
import { compareContracts } from '../evolve.ts'
import { type Usages, withConsumers } from './consumers.ts'

export type EvolveOptions = {
  /** The same seed finds the same examples. Default: 1. */
  readonly seed?: number | undefined
  /** The level of what old servers do with clients of the new document; null: it is not looked at. Default: `risky`. */
  readonly oldServers?: 'breaking' | 'risky' | null | undefined
  /** What clients use, by their names: each breaking difference then says which of them it concerns. Default: nothing is known. */
  readonly usedBy?: Usages | undefined
}

/**
 * Compares two documents of one API: what the clients of the old one meet at a server of the new one, and the servers of the old one
 * from clients of the new one. Requests and responses that one document allows are judged by the other; each difference has the smallest
 * example that both judges have seen. Throws DocumentError for a document that cannot be used.
 */
export const evolve = async (
  old: Contract | string,
  now: Contract | string,
  { seed = 1, oldServers = 'risky', usedBy }: EvolveOptions = {},
): Promise<Evolution> => {
  const load = async (given: Contract | string): Promise<Contract> =>
    typeof given === 'string' ? await loadContract({ from: given }) : given
  const evolution = await compareContracts(await load(old), await load(now), { seed, oldServers })
  return usedBy === undefined ? evolution : withConsumers(evolution, usedBy)
}
