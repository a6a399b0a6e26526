import { fileURLToPath } from 'node:url'
import { builtIn } from '../reports/index.ts'
import { type Contract, loadContract, plantStoreDocument } from '../spec/index.ts'

/** The contract that an option names; the plant store's own where it names none. */
export const contractOf = async (given: Contract | string | undefined): Promise<Contract> => {
  if (given === undefined)
    return { ...(await loadContract({ from: fileURLToPath(plantStoreDocument) })), source: builtIn }
  return typeof given === 'string' ? loadContract({ from: given }) : given
}
