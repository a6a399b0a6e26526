/** The names of the formats. This file loads nothing, so that the help of a command can list them at once. */
export const formatNames = [
  'json',
  'junit',
  'junit-full',
  'html',
  'terminal',
  'ctrf',
  'sarif',
  'markdown',
  'agent',
  'github',
  'gitlab',
  'trace',
  'record',
  'wfc',
  'arazzo',
] as const
export type FormatName = (typeof formatNames)[number]

/** Formats that are a folder of files. */
export const folderNames = ['allure'] as const
export type FolderName = (typeof folderNames)[number]

/** Tools that a finding can be written for, as a test. */
export const testFormats = ['vitest', 'playwright', 'pytest', 'http', 'postman'] as const
export type TestFormat = (typeof testFormats)[number]
