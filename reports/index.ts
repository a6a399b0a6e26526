export { type BundleParts, type Environment, makeBundle, type Setting } from './bundle/contents.ts'
export { type Inspection, inspectBundle, signBundle } from './bundle/inspect.ts'
export { type Missing, sha256 } from './bundle/manifest.ts'
export { BundleError, mostBytes } from './bundle/pack.ts'
export { fingerprintOf } from './bundle/signature.ts'
export { builtIn, repeatCommand, replayCommand } from './commands.ts'
export { plural } from './count.ts'
export { type Diff, diffOf, isWorse } from './diff.ts'
export { type DiffOptions, diffJson, diffMarkdown, diffText } from './diff-text.ts'
export { createHarStream, type HarOptions, type HarStream } from './har/log.ts'
export { certificate } from './html/certificate.ts'
export { writeEvent } from './ndjson.ts'
export { createPaint, type Paint } from './paint.ts'
export { createProgress, type Progress, type ProgressOptions } from './progress.ts'
export { LedgerError, readLedger } from './read-ledger.ts'
export {
  type FolderFormat,
  type FolderName,
  type Format,
  type FormatName,
  folderNames,
  folders,
  formatNames,
  type Report,
  reports,
} from './report.ts'
export type { ReportFile } from './report-file.ts'
export { reportSchema } from './report-schema.ts'
export { safeLines, safeText } from './safe-text.ts'
export { terminal } from './terminal.ts'
export type { TerminalOptions } from './terminal-options.ts'
