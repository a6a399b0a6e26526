import type { Ledger } from '../../spec/index.ts'
import type { FolderName, FormatName } from '../defaults.ts'
import { record } from '../record/record.ts'
import { agent } from './agent.ts'
import { allure, filePrefix, type ReportFile } from './allure.ts'
import { arazzo } from './arazzo.ts'
import { ctrf } from './ctrf.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { page } from './html/page.ts'
import { json } from './json.ts'
import { junit, junitFull } from './junit.ts'
import { markdown } from './markdown/page.ts'
import { sarif } from './sarif.ts'
import { terminal } from './terminal/terminal.ts'
import { trace } from './trace.ts'
import { wfc } from './wfc/report.ts'

/**
 * A run as text: the same ledger gives the same bytes. `digest` is the SHA-256 of the ledger in hexadecimal, and `path` its file as a
 * reader would type it, for the formats that print them.
 */
export type Report = (ledger: Ledger, digest?: string, path?: string) => string

/** The same in parts, one after the other: of a large contract a report has hundreds of megabytes. */
export type ReportParts = (ledger: Ledger, digest?: string, path?: string) => Iterable<string>

export type Format = {
  readonly file: string
  readonly mediaType: string
  readonly write: Report
  readonly parts: ReportParts
}

const whole = (write: Report): Pick<Format, 'write' | 'parts'> => ({
  write,
  parts: (ledger, digest, path) => [write(ledger, digest, path)],
})

const inParts = (parts: ReportParts): Pick<Format, 'write' | 'parts'> => ({
  write: (ledger, digest) => [...parts(ledger, digest)].join(''),
  parts,
})

const plainTerminal: Report = ledger =>
  terminal(ledger, { colour: false, verbosity: 'normal', ledger: 'ledger.ndjson', report: null })

/** Every format by its name, with the file it is written to by default. */
export const reports: Readonly<Record<FormatName, Format>> = {
  json: { file: 'report.json', mediaType: 'application/json', ...inParts(json) },
  junit: { file: 'junit.xml', mediaType: 'application/xml', ...inParts(junit) },
  'junit-full': { file: 'junit-full.xml', mediaType: 'application/xml', ...inParts(junitFull) },
  html: { file: 'report.html', mediaType: 'text/html; charset=utf-8', ...inParts(page) },
  terminal: { file: 'report.txt', mediaType: 'text/plain; charset=utf-8', ...whole(plainTerminal) },
  ctrf: { file: 'ctrf.json', mediaType: 'application/json', ...inParts(ctrf) },
  sarif: { file: 'report.sarif', mediaType: 'application/sarif+json', ...whole(sarif) },
  markdown: { file: 'report.md', mediaType: 'text/markdown; charset=utf-8', ...whole(markdown) },
  agent: {
    file: 'agent.md',
    mediaType: 'text/markdown; charset=utf-8',
    ...whole((ledger, _digest, path = 'ledger.ndjson') => agent(ledger, path)),
  },
  github: { file: 'github-annotations.txt', mediaType: 'text/plain; charset=utf-8', ...whole(github) },
  gitlab: { file: 'gl-code-quality-report.json', mediaType: 'application/json', ...whole(gitlab) },
  trace: { file: 'trace.csv', mediaType: 'text/csv; charset=utf-8; header=present', ...inParts(trace) },
  record: { file: 'record.html', mediaType: 'text/html; charset=utf-8', ...whole(record) },
  arazzo: { file: 'flows.arazzo.json', mediaType: 'application/json', ...whole(arazzo) },
  wfc: { file: 'wfc-report.json', mediaType: 'application/json', ...inParts(wfc) },
}

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
