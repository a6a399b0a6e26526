import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeBundle, type Setting } from '../../reports/index.ts'
import { type Contract, redact, type Secret } from '../../spec/index.ts'
import { ledgerBytes } from '../inputs/ledger.ts'
import { UsageError } from '../process/exit.ts'
import { runtimeInfo } from '../process/product.ts'
import { say } from '../process/terminal.ts'
import { removeRestsOf, writeWhole } from './whole-file.ts'

/** The bundle of a run that has not started yet. */
export type Bundle = {
  /** Writes it from the ledger file of the run; returns the problems, one line each. */
  readonly write: (ledger: string) => readonly string[]
}

export type BundleSource = {
  readonly contract: Contract
  readonly settings: readonly Setting[]
  /** Those of the run so far. */
  readonly secrets: () => readonly Secret[]
}

/** Throws UsageError if the file cannot be written, before anything is sent. */
export const openBundle = (file: string, { contract, settings, secrets }: BundleSource): Bundle => {
  checkWritable(file)
  return {
    write: ledger => {
      try {
        const known = secrets()
        const document = JSON.stringify(contract.document)
        // Parts of a token can be words of the document; only a whole token keeps the document out.
        const whole = known.map(secret => (typeof secret === 'string' ? { exact: secret } : secret))
        const isSafe = redact(document, whole) === document
        const zip = makeBundle({
          ledger: ledgerBytes(ledger),
          document: isSafe ? document : null,
          configuration: JSON.parse(redact(JSON.stringify(settings), known)) as readonly Setting[],
          environment: runtimeInfo('the run'),
          missing: isSafe
            ? []
            : [{ name: 'contract.json', reason: 'it contains the token or the value of a --header' }],
        })
        writeWhole(file, zip)
        removeRestsOf(file)
        say(`written: ${file}`)
        return []
      } catch (error) {
        return [`${file} could not be written: ${(error as Error).message}`]
      }
    },
  }
}

const checkWritable = (file: string): void => {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory() === true) throw Object.assign(new Error(), { code: 'EISDIR' })
    accessSync(found === undefined ? dirname(file) : file, constants.W_OK)
  } catch (error) {
    throw new UsageError(
      `the bundle ${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with --bundle`,
    )
  }
}
