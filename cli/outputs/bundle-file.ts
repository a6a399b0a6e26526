import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeBundle, type Setting } from '../../reports/index.ts'
import { type Contract, redact, type Secret } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'
import { surroundings } from '../process/runtime-info.ts'
import { say } from './terminal.ts'

/** The bundle of a run that is still to come. */
export type Bundle = {
  /** Writes it, from the ledger that the run has left on disk; gives the problems, one line each. */
  readonly write: (ledger: string) => readonly string[]
}

export type BundleOf = {
  readonly contract: Contract
  readonly settings: readonly Setting[]
  readonly secrets: readonly Secret[]
}

/** Throws UsageError where the file cannot be written, before anything is sent. */
export const openBundle = (file: string, { contract, settings, secrets }: BundleOf): Bundle => {
  refuseUnwritable(file)
  return {
    write: ledger => {
      try {
        const document = JSON.stringify(contract.document)
        // Parts of a token may well be words of the document: it is left out for a whole one.
        const whole = secrets.map(secret => (typeof secret === 'string' ? { exact: secret } : secret))
        const isSafe = redact(document, whole) === document
        const zip = makeBundle({
          ledger: readFileSync(ledger),
          document: isSafe ? document : null,
          configuration: JSON.parse(redact(JSON.stringify(settings), secrets)) as readonly Setting[],
          environment: surroundings('the run'),
          missing: isSafe
            ? []
            : [{ name: 'contract.json', reason: 'the token, or the value of a --header, stands in it' }],
        })
        writeFileSync(file, zip)
        say(`written: ${file}`)
        return []
      } catch (error) {
        return [`${file} could not be written: ${(error as Error).message}`]
      }
    },
  }
}

const refuseUnwritable = (file: string): void => {
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
