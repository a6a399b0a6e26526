/**
 * What most users need, in one place. The rooms have the rest: `plantstore-contract/spec`, `/mock`, `/conformance`
 * and `/reports`.
 */
export { type Config, defineConfig } from './cli/index.ts'
export {
  ReplayError,
  type Replayed,
  type ReplayOptions,
  replay,
  type VerifyOptions,
  verify,
} from './conformance/index.ts'
export { createMock, ListenError, type Mock, type MockOptions } from './mock/index.ts'
export {
  type Format,
  type FormatName,
  formatNames,
  LedgerError,
  type Report,
  readLedger,
  reports,
  type TerminalOptions,
  terminal,
} from './reports/index.ts'
export {
  type Accepted,
  type Clause,
  type Conclusion,
  type Contract,
  DocumentError,
  type Entry,
  type Family,
  type Finding,
  foldLedger,
  type Ledger,
  type Level,
  type LoadOptions,
  loadContract,
  type Obligation,
  type Operation,
  obligationsOf,
  type Pin,
  type Place,
  type Problem,
  plantStoreDocument,
  problemLine,
  type RunEvent,
  type Tally,
  tally,
  type Unauthenticated,
  type Verdict,
  type Waiver,
} from './spec/index.ts'
