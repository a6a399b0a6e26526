import type { FolderName, FormatName } from '../../reports/index.ts'

/** A format of one file, or of a folder of files. */
export type AnyFormat = FormatName | FolderName

// Listed again, so that help does not wait for the room that writes them; the type keeps the list complete.
const known: Readonly<Record<AnyFormat, true>> = {
  json: true,
  junit: true,
  'junit-full': true,
  html: true,
  terminal: true,
  ctrf: true,
  sarif: true,
  markdown: true,
  agent: true,
  github: true,
  gitlab: true,
  trace: true,
  record: true,
  allure: true,
}

export const anyFormats = Object.keys(known) as readonly AnyFormat[]
