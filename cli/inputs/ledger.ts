import { readFileSync } from 'node:fs'
import { LedgerError, readLedger } from '../../reports/index.ts'
import { foldLedger, type Ledger, type RunEvent } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'

/** Reads a ledger from disk. */
export const ledgerFrom = (file: string): Ledger => foldLedger(ledgerBytes(file).events)

/** The events of a ledger, and the bytes of its file. Throws UsageError. */
export const ledgerBytes = (
  file: string,
): { readonly bytes: Uint8Array; readonly events: readonly RunEvent[] } => {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give the ledger.ndjson of a run`,
    )
  }
  try {
    return { bytes, events: readLedger(bytes.toString('utf8')) }
  } catch (error) {
    if (error instanceof LedgerError) throw new UsageError(`${file} is not a ledger: ${error.message}`)
    throw error
  }
}
