import { fileURLToPath } from 'node:url'
import { builtIn, type Contract, loadContract, plantStoreDocument } from '../spec/index.ts'

/** The contract that an option names; the plant store's own if it names none. */
export const contractOf = async (contract: Contract | string | undefined): Promise<Contract> => {
  if (contract === undefined)
    return { ...(await loadContract({ from: fileURLToPath(plantStoreDocument) })), source: builtIn }
  return typeof contract === 'string' ? loadContract({ from: contract }) : contract
}
