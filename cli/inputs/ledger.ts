import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { LedgerError, readEvents } from '../../reports/index.ts'
import { foldLedger, type Ledger } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'

/** Reads a ledger from disk, line by line: that of a large contract has hundreds of megabytes. Throws UsageError. */
export const ledgerFrom = (file: string): Ledger => {
  try {
    return foldLedger(readEvents(linesOf(file)))
  } catch (error) {
    if (error instanceof LedgerError) throw new UsageError(`${file} is not a ledger: ${error.message}`)
    throw error
  }
}

/** The bytes of the file of a ledger. Throws UsageError. */
export const ledgerBytes = (file: string): Uint8Array => reading(file, () => readFileSync(file))

const chunkLength = 1024 * 1024

function* linesOf(file: string): Generator<string> {
  const descriptor = reading(file, () => openSync(file, 'r'))
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const buffer = Buffer.alloc(chunkLength)
  let rest = ''
  try {
    for (;;) {
      const length = reading(file, () => readSync(descriptor, buffer))
      const lines = decoder.decode(buffer.subarray(0, length), { stream: length > 0 }).split('\n')
      lines[0] = `${rest}${lines[0]}`
      rest = lines.pop() ?? ''
      yield* lines
      if (length === 0) break
    }
    yield rest
  } finally {
    closeSync(descriptor)
  }
}

const reading = <T>(file: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give the ledger.ndjson of a run`,
    )
  }
}
