/** The suite on the runner of Playwright: its cells as tests, and a reporter that puts the ledger together again. */
export { type ContractTestsOptions, contractTests } from './contract-tests.ts'
// Playwright takes a reporter by its default export.
export { type ContractReporterOptions, contractReporter, contractReporter as default } from './reporter.ts'
