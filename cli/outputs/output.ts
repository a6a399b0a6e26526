import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { batchLength, eventParts, inBatches, reports, writeEvent } from '../../reports/index.ts'
import type { Ledger, RunEvent } from '../../spec/index.ts'
import { digestOfLedger } from '../inputs/ledger.ts'
import { type AnyFormat, anyFormats } from '../options/output-flags.ts'
import { UsageError } from '../process/exit.ts'
import { isFolder, pathOf, removeFiles, writeFolder } from './report-files.ts'
import { isRestOf, lockFolder, type Release, writeWhole } from './whole-file.ts'

export type Output = {
  /** The path of the ledger: of a run that has ended, where it is. */
  readonly ledger: () => string
  /** The path of a format's file, as the user would type it. */
  readonly path: (format: AnyFormat) => string
  /**
   * Writes an event, with all others of this turn of the event loop, so that a run that is ended by force leaves what it has seen in
   * `ledger.ndjson.part`.
   */
  readonly event: (event: RunEvent) => void
  /** Writes the other reports; returns the problems, one line each. */
  readonly finish: (ledger: Ledger) => readonly string[]
  /** Leaves the folder to other runs; after `finish` it does nothing more. */
  readonly close: () => void
}

/**
 * Opens the output folder, and keeps other runs out of it. What an earlier run left there stays until this one ends: then all of it is
 * replaced, so that no report stands beside the ledger of another run. Throws UsageError if the folder cannot be written, before
 * anything is sent.
 */
export const openOutput = (folder: string, formats: readonly AnyFormat[]): Output => {
  const path = (format: AnyFormat): string => join(folder, pathOf(format))
  const ledgerPath = join(folder, 'ledger.ndjson')
  const partPath = `${ledgerPath}.part`
  const { release, ledger } = opened(folder, partPath)
  let written = ledgerPath
  let failed: string | null = null
  let isOpen = true
  let isEmpty = true
  let held = ''
  const writeHeld = (): void => {
    const text = held
    held = ''
    if (text !== '') writeFileSync(ledger, text)
  }
  /** Does what writes to the ledger; what fails is told at the end. */
  const writing = (write: () => void): void => {
    if (failed !== null) return
    try {
      write()
    } catch (error) {
      failed = `${ledgerPath} could not be written to its end: ${(error as Error).message}`
    }
  }
  const closeLedger = (): void => {
    writing(writeHeld)
    closeSync(ledger)
    isOpen = false
  }
  const close = (): void => {
    if (isOpen) {
      closeLedger()
      if (isEmpty) rmSync(partPath, { force: true })
    }
    release()
  }
  const finish = (run: Ledger): readonly string[] => {
    closeLedger()
    const problems = failed === null ? [] : [failed]
    const digestFor = (format: AnyFormat): string | undefined =>
      format === 'record' ? digestOfLedger(written) : undefined
    const before = ledgerNames.map(name => join(folder, name)).filter(file => existsSync(file))
    if (before.length > 0) removeReports(folder)
    written = keepLedger(partPath, ledgerPath)
    for (const file of before) if (file !== written) rmSync(file, { force: true })
    for (const format of formats) {
      try {
        if (isFolder(format)) writeFolder(format, path(format), run)
        else writeWhole(path(format), reports[format].parts(run, digestFor(format), written))
      } catch (error) {
        problems.push(`${path(format)} could not be written: ${(error as Error).message}`)
      }
    }
    close()
    return problems
  }
  return {
    ledger: () => written,
    path,
    event: event => {
      isEmpty = false
      writing(() => {
        if (event.type === 'start') {
          for (const text of inBatches(eventParts(event))) writeFileSync(ledger, text)
          return
        }
        if (held === '') setImmediate(() => writing(writeHeld))
        held += writeEvent(event)
        if (held.length > batchLength) writeHeld()
      })
    },
    finish,
    close,
  }
}

const opened = (folder: string, partPath: string): { readonly release: Release; readonly ledger: number } => {
  try {
    makeFolder(folder)
    const release = lockFolder(folder)
    return { release, ledger: openSync(partPath, 'w') }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `the output folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with --out`,
    )
  }
}

/** Removes the reports of an earlier run, and what it left of them if it was ended while it wrote them. */
const removeReports = (folder: string): void => {
  const names = readdirSync(folder)
  for (const format of anyFormats) {
    const path = pathOf(format)
    if (isFolder(format)) removeFiles(format, join(folder, path))
    else
      for (const name of names)
        if (name === path || isRestOf(name, path)) rmSync(join(folder, name), { force: true })
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

/** A ledger of more bytes is compressed: it shrinks to a tenth or less. */
const large = 16 * 1024 * 1024
const chunkLength = 8 * 1024 * 1024

/** Both names that the ledger of a run can have. */
const ledgerNames = ['ledger.ndjson', 'ledger.ndjson.gz'] as const

/** Moves the ledger of a run to its place, compressed if it is large. Returns its path. */
const keepLedger = (part: string, path: string): string => {
  if (statSync(part).size <= large) {
    renameSync(part, path)
    return path
  }
  const packed = `${path}.gz`
  const packedPart = `${packed}.part`
  const [from, to] = [openSync(part, 'r'), openSync(packedPart, 'w')]
  const buffer = Buffer.alloc(chunkLength)
  try {
    // Compressed files one after the other are one (RFC 1952 2.2), so no more than a chunk is held.
    for (let length = readSync(from, buffer); length > 0; length = readSync(from, buffer))
      writeFileSync(to, gzipSync(buffer.subarray(0, length), { level: 4 }))
  } finally {
    closeSync(from)
    closeSync(to)
  }
  renameSync(packedPart, packed)
  rmSync(part)
  return packed
}
