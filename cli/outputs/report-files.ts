import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type FolderName, folders, reports, type SuggestedOverlay } from '../../reports/index.ts'
import type { BaselineEntry, Ledger, Pin } from '../../spec/index.ts'
import type { AnyFormat } from '../options/output-flags.ts'
import { UsageError } from '../process/exit.ts'
import { writeWhole } from './whole-file.ts'

export const isFolder = (format: AnyFormat): format is FolderName => Object.hasOwn(folders, format)

/** The path of a format, below the output folder. */
export const pathOf = (format: AnyFormat): string =>
  isFolder(format) ? folders[format].folder : reports[format].file

/** Writes a format of several files, and removes those of an earlier run, as readers take every file in the folder. */
export const writeFolder = (format: FolderName, folder: string, ledger: Ledger): void => {
  if (!existsSync(folder)) mkdirSync(folder)
  removeFiles(format, folder)
  for (const { name, text } of folders[format].write(ledger)) writeWhole(join(folder, name), [text])
}

/** Removes the files that an earlier run wrote in a format of several files. */
export const removeFiles = (format: FolderName, folder: string): void => {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name.startsWith(folders[format].prefix)) rmSync(join(folder, name))
}

export const writeBaseline = (file: string, findings: readonly BaselineEntry[]): void =>
  write(file, 'Known failures, accepted by `verify --baseline`. Written by `plantstore baseline`.', {
    version: 1,
    findings,
  })

export const writePins = (file: string, pins: readonly Pin[]): void =>
  write(
    file,
    'Answers to the open questions, required by `verify --pins`; * stands for any characters. Written by `plantstore pin`.',
    { version: 1, pins },
  )

export const writeOverlay = (file: string, { overlay, info, actions }: SuggestedOverlay): void =>
  write(
    file,
    'What would make the document say what the server does: apply it with `--overlay`, or fix the server. Written by `plantstore verify --suggest-overlay`.',
    { overlay, info, actions },
  )

// JSON if the file's name says so, for tools that do not read YAML.
const write = (file: string, comment: string, value: object): void => {
  const text = file.endsWith('.json')
    ? `${JSON.stringify(value, null, 2)}\n`
    : `# ${comment}\n${stringify(value, { lineWidth: 0, schema: 'core' })}`
  try {
    writeWhole(file, [text])
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
