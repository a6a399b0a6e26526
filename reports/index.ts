export { type BundleParts, type Environment, makeBundle, type Setting } from './bundle/contents.ts'
export { bundleFacts, bundleTitle } from './bundle/describe.ts'
export { type Inspection, inspectBundle, signBundle } from './bundle/inspect.ts'
export { type Missing, sha256 } from './bundle/manifest.ts'
export { mostBytes } from './bundle/pack.ts'
export { type BundledRun, readBundle } from './bundle/read.ts'
export { fingerprintOf } from './bundle/signature.ts'
export {
  addTimeStamp,
  type TimeStamp,
  type TimeTrust,
  timeStampOf,
  timeStampRequest,
} from './bundle/time-stamp.ts'
export {
  type ComparedRow,
  type ComparedRuns,
  type Comparison,
  compareServers,
  comparisonOf,
  isAlike,
  type Shown,
  type Sides,
} from './compare/comparison.ts'
export { comparisonPage } from './compare/page.ts'
export { type CompareTextOptions, comparisonJson, comparisonText } from './compare/text.ts'
export { type Diff, diffOf, isWorse, showsLess } from './diff/diff.ts'
export { type DiffOptions, diffJson, diffMarkdown, diffText } from './diff/diff-text.ts'
export { BundleError, LedgerError } from './errors.ts'
export type { ReportFile } from './formats/allure.ts'
export { workflowCommand } from './formats/github.ts'
export { createHarStream, type HarOptions, type HarStream } from './formats/har/log.ts'
export { reportSchema } from './formats/json.ts'
export { prose } from './formats/markdown/text.ts'
export {
  type FolderFormat,
  type FolderName,
  type Format,
  type FormatName,
  folderNames,
  folders,
  formatNames,
  type Report,
  type ReportParts,
  reports,
} from './formats/report.ts'
export { type SummaryContext, summaryLine, summarySchema } from './formats/summary-line.ts'
export { createProgress, type Progress, type ProgressOptions } from './formats/terminal/progress.ts'
export { type TerminalOptions, terminal } from './formats/terminal/terminal.ts'
export {
  eventParts,
  ledgerParts,
  ledgerSchema,
  readEvents,
  readLedger,
  writeEvent,
  writeLedger,
} from './ledger/ndjson.ts'
export { regressionTestOf } from './regression/regression-test.ts'
export { type TestFormat, testFormats, writeTest } from './regression/write-test.ts'
export { batchLength, inBatches } from './text/batches.ts'
export { repeatCommand, replayCommand } from './view/commands.ts'
export { outcomeLine, requestLine } from './view/exchange-line.ts'
export { causeMessage, findingMessage } from './view/finding-text.ts'
