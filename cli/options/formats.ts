import type { FolderName, FormatName, TestFormat } from '../../reports/index.ts'

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

/** Tools that a finding can be written for. */
const forTests: Readonly<Record<TestFormat, true>> = {
  vitest: true,
  playwright: true,
  pytest: true,
  http: true,
  postman: true,
}

export const testTools = Object.keys(forTests) as readonly TestFormat[]

export const anyFormats = Object.keys(known) as readonly AnyFormat[]
