/**
 * What most users need, in one place. The rooms have the rest: `plantstore-contract/spec`, `/mock`, `/conformance`
 * and `/reports`.
 */
export { type Config, defineConfig } from './cli/index.ts'
export {
  type IssuedToken,
  ReplayError,
  type Replayed,
  type ReplayOptions,
  replay,
  TokenError,
  type TokenSource,
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
  type BaselineEntry,
  type Clause,
  type Conclusion,
  type Contract,
  countVerdicts,
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
  type ResponseTimeLimit,
  type RunEvent,
  type UnauthenticatedPolicy,
  type Verdict,
  type VerdictCounts,
  type Waiver,
} from './spec/index.ts'
