/**
 * What most users need, in one place. `plantstore-contract/spec`, `/mock`, `/conformance`, `/reports` and `/generator` have more.
 */
export { type Config, defineConfig } from './cli/index.ts'
export {
  type Replayed,
  type ReplayOptions,
  replay,
  TokenError,
  type VerifyOptions,
  verify,
} from './conformance/index.ts'
export { createMock, ListenError, type Mock, type MockOptions } from './mock/index.ts'
export {
  type FormatName,
  formatNames,
  LedgerError,
  type Report,
  readLedger,
  reports,
  terminal,
} from './reports/index.ts'
export {
  type Contract,
  DocumentError,
  type Finding,
  foldLedger,
  type Ledger,
  type LoadOptions,
  loadContract,
  type Obligation,
  obligationsOf,
  plantStoreDocument,
  type Verdict,
} from './spec/index.ts'
