import type { Ledger } from '../../spec/index.ts'
import { record } from '../record/record.ts'
import { allure, filePrefix, type ReportFile } from './allure.ts'
import { ctrf } from './ctrf.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { page } from './html/page.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown/page.ts'
import { sarif } from './sarif.ts'
import { terminal } from './terminal/terminal.ts'
import { trace } from './trace.ts'

/**
 * A run as text: the same ledger gives the same bytes. `digest` is the SHA-256 of the ledger's file in hexadecimal, for
 * the formats that print it.
 */
export type Report = (ledger: Ledger, digest?: string) => string

export const formatNames = [
  'json',
  'junit',
  'html',
  'terminal',
  'ctrf',
  'sarif',
  'markdown',
  'github',
  'gitlab',
  'trace',
  'record',
] as const
export type FormatName = (typeof formatNames)[number]

export type Format = { readonly file: string; readonly mediaType: string; readonly write: Report }

const plainTerminal: Report = ledger =>
  terminal(ledger, { colour: false, verbosity: 'normal', ledger: 'ledger.ndjson', report: null })

/** Every format by its name, with the file it is written to by default. */
export const reports: Readonly<Record<FormatName, Format>> = {
  json: { file: 'report.json', mediaType: 'application/json', write: json },
  junit: { file: 'junit.xml', mediaType: 'application/xml', write: junit },
  html: { file: 'report.html', mediaType: 'text/html; charset=utf-8', write: page },
  terminal: { file: 'report.txt', mediaType: 'text/plain; charset=utf-8', write: plainTerminal },
  ctrf: { file: 'ctrf.json', mediaType: 'application/json', write: ctrf },
  sarif: { file: 'report.sarif', mediaType: 'application/sarif+json', write: sarif },
  markdown: { file: 'report.md', mediaType: 'text/markdown; charset=utf-8', write: markdown },
  github: { file: 'github-annotations.txt', mediaType: 'text/plain; charset=utf-8', write: github },
  gitlab: { file: 'gl-code-quality-report.json', mediaType: 'application/json', write: gitlab },
  trace: { file: 'trace.csv', mediaType: 'text/csv; charset=utf-8; header=present', write: trace },
  record: { file: 'record.html', mediaType: 'text/html; charset=utf-8', write: record },
}

export const folderNames = ['allure'] as const
export type FolderName = (typeof folderNames)[number]

export type FolderFormat = {
  readonly folder: string
  /** Our files in such a folder begin with this, which distinguishes them from those of other tools. */
  readonly prefix: string
  readonly write: (ledger: Ledger) => readonly ReportFile[]
}

/** Formats that are a folder of files. */
export const folders: Readonly<Record<FolderName, FolderFormat>> = {
  allure: { folder: 'allure-results', prefix: filePrefix, write: allure },
}
