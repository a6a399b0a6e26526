export { type BundleParts, type Environment, makeBundle, type Setting } from './bundle/contents.ts'
export { type Inspection, inspectBundle, signBundle } from './bundle/inspect.ts'
export { sha256 } from './bundle/manifest.ts'
export { mostBytes } from './bundle/pack.ts'
export { fingerprintOf } from './bundle/signature.ts'
export {
  addTimeStamp,
  type BundledRun,
  bundleFacts,
  bundleTitle,
  readBundle,
  type TimeStamp,
  type TimeTrust,
  timeStampOf,
  timeStampRequest,
} from './bundle/time-stamp.ts'
export {
  type Comparison,
  compareServers,
  comparisonOf,
  isAlike,
} from './compare/comparison.ts'
export { comparisonJson, comparisonPage, comparisonText } from './compare/text.ts'
export {
  type FolderName,
  type FormatName,
  formatNames,
  type TestFormat,
  testFormats,
} from './defaults.ts'
export { type Diff, diffOf, isWorse, showsLess } from './diff/diff.ts'
export { diffJson, diffMarkdown, diffText } from './diff/diff-text.ts'
export { BundleError, LedgerError, TrafficError } from './errors.ts'
export type { ReportFile } from './formats/allure.ts'
export { workflowCommand } from './formats/github.ts'
export { createHarStream, type HarOptions } from './formats/har/entry.ts'
export { reportSchema } from './formats/json.ts'
export { prose } from './formats/markdown/page.ts'
export { readTraffic } from './formats/postman/read-traffic.ts'
export { type Format, folders, type Report, reports } from './formats/report.ts'
export { type SummaryContext, summaryLine, summarySchema } from './formats/summary-line.ts'
export { createProgress, type Progress } from './formats/terminal/progress.ts'
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
export { type SuggestedOverlay, suggestedOverlay } from './overlay/suggest.ts'
export { regressionTestOf } from './regression/regression-test.ts'
export { writeTest } from './regression/write-test.ts'
export { batchLength, inBatches } from './text/batches.ts'
export { replayCommand } from './view/commands.ts'
export { outcomeLine, requestLine } from './view/exchange-text.ts'
export { causeMessage, findingMessage } from './view/finding-text.ts'
