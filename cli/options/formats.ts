import type { FolderName, FormatName } from '../../reports/index.ts'

/** A format of one file, or of a folder of them. */
export type AnyFormat = FormatName | FolderName

// The help names them, and is not to wait until the room that writes them is loaded.
const known: Readonly<Record<AnyFormat, true>> = {
  json: true,
  junit: true,
  html: true,
  terminal: true,
  ctrf: true,
  sarif: true,
  markdown: true,
  github: true,
  gitlab: true,
  trace: true,
  record: true,
  allure: true,
}

export const anyFormats = Object.keys(known) as readonly AnyFormat[]
