import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FolderName, folders, reports } from '../../reports/index.ts'
import type { Ledger } from '../../spec/index.ts'
import type { AnyFormat } from '../options/formats.ts'
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
