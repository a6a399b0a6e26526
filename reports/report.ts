import type { Ledger } from '../spec/index.ts'
import { allure, filePrefix } from './allure.ts'
import { ctrf } from './ctrf.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { har } from './har/from-ledger.ts'
import { page } from './html/page.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown/page.ts'
import { ndjson } from './ndjson.ts'
import type { ReportFile } from './report-file.ts'
import { sarif } from './sarif.ts'
import { terminal } from './terminal.ts'

/** A run as text: the same ledger gives the same bytes. */
export type Report = (ledger: Ledger) => string

export const formatNames = [
  'ndjson',
  'json',
  'junit',
  'html',
  'terminal',
  'ctrf',
  'sarif',
  'markdown',
  'github',
  'gitlab',
  'har',
] as const
export type FormatName = (typeof formatNames)[number]

export type Format = { readonly file: string; readonly mediaType: string; readonly write: Report }

const plainTerminal: Report = ledger =>
  terminal(ledger, { colour: false, verbosity: 'normal', ledger: 'ledger.ndjson', report: null })

/** Every format by its name, with the file it is written to by default. */
export const reports: Readonly<Record<FormatName, Format>> = {
  ndjson: { file: 'ledger.ndjson', mediaType: 'application/x-ndjson', write: ndjson },
  json: { file: 'report.json', mediaType: 'application/json', write: json },
  junit: { file: 'junit.xml', mediaType: 'application/xml', write: junit },
  html: { file: 'report.html', mediaType: 'text/html; charset=utf-8', write: page },
  terminal: { file: 'report.txt', mediaType: 'text/plain; charset=utf-8', write: plainTerminal },
  ctrf: { file: 'ctrf.json', mediaType: 'application/json', write: ctrf },
  sarif: { file: 'report.sarif', mediaType: 'application/sarif+json', write: sarif },
  markdown: { file: 'report.md', mediaType: 'text/markdown; charset=utf-8', write: markdown },
  github: { file: 'github-annotations.txt', mediaType: 'text/plain; charset=utf-8', write: github },
  gitlab: { file: 'gl-code-quality-report.json', mediaType: 'application/json', write: gitlab },
  har: { file: 'report.har', mediaType: 'application/json', write: har },
}

export const folderNames = ['allure'] as const
export type FolderName = (typeof folderNames)[number]

export type FolderFormat = {
  readonly folder: string
  /** All files of ours in such a folder begin so: what an earlier run left can be told from what is not ours. */
  readonly prefix: string
  readonly write: (ledger: Ledger) => readonly ReportFile[]
}

/** Formats that are a folder of files. */
export const folders: Readonly<Record<FolderName, FolderFormat>> = {
  allure: { folder: 'allure-results', prefix: filePrefix, write: allure },
}
