/** The suite on Playwright's runner: plan slices as tests, and a reporter that merges their results into one ledger. */
export { type ContractTestsOptions, contractTests } from './contract-tests.ts'
// Playwright takes a reporter by its default export.
export { type ContractReporterOptions, contractReporter, contractReporter as default } from './reporter.ts'
