import { foldLedger, type Ledger } from '../../spec/index.ts'
import { readLedger } from '../ledger/ndjson.ts'
import { contractName, ledgerName } from './contents.ts'
import { unpack } from './pack.ts'

export type BundledRun = {
  readonly ledger: Ledger
  /** The JSON text of the contract; null if the bundle has none. */
  readonly document: string | null
}

/** Reads the run of an intact bundle: see `inspectBundle`. */
export const readBundle = (zip: Uint8Array): BundledRun => {
  const files = unpack(zip)
  const text = (name: string): string | null => {
    const bytes = files.get(name)
    return bytes === undefined ? null : new TextDecoder().decode(bytes)
  }
  return { ledger: foldLedger(readLedger(text(ledgerName) ?? '')), document: text(contractName) }
}
