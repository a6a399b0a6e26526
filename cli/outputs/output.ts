import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { reports, sha256, writeEvent } from '../../reports/index.ts'
import type { Ledger, RunEvent } from '../../spec/index.ts'
import type { AnyFormat } from '../options/formats.ts'
import { UsageError } from '../process/exit.ts'
import { isFolder, pathOf, writeFolder } from './report-files.ts'

export type Output = {
  readonly ledger: string
  /** The path of a format's file, as the user would type it. */
  readonly path: (format: AnyFormat) => string
  /** Writes an event at once, so that an interrupted run leaves its ledger. */
  readonly event: (event: RunEvent) => void
  /** Writes the other reports; returns the problems, one line each. */
  readonly finish: (ledger: Ledger) => readonly string[]
}

/** Opens the output folder. Throws UsageError if it cannot be written, before anything is sent. */
export const openOutput = (folder: string, formats: readonly AnyFormat[]): Output => {
  const path = (format: AnyFormat): string => join(folder, pathOf(format))
  const ledgerPath = join(folder, 'ledger.ndjson')
  let ledger: number
  try {
    makeFolder(folder)
    ledger = openSync(ledgerPath, 'w')
  } catch (error) {
    throw new UsageError(
      `the output folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with --out`,
    )
  }
  let failed: string | null = null
  const digestFor = (format: AnyFormat): string | undefined =>
    format === 'record' ? sha256(readFileSync(ledgerPath)) : undefined
  return {
    ledger: ledgerPath,
    path,
    event: event => {
      if (failed !== null) return
      try {
        writeSync(ledger, writeEvent(event))
      } catch (error) {
        failed = `${ledgerPath} could not be written to its end: ${(error as Error).message}`
      }
    },
    finish: run => {
      closeSync(ledger)
      const problems = failed === null ? [] : [failed]
      for (const format of formats) {
        try {
          if (isFolder(format)) writeFolder(format, path(format), run)
          else writeFileSync(path(format), reports[format].write(run, digestFor(format)))
        } catch (error) {
          problems.push(`${path(format)} could not be written: ${(error as Error).message}`)
        }
      }
      return problems
    },
  }
}

/** Makes a folder. Not `recursive`, which never returns if a file system rejects folders, as /proc does. */
export const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(resolve(folder)))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another run has just made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
