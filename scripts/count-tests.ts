/**
 * Prints the result of a test run in one line: `N passed, N failed`, and `, N skipped` if any were.
 * Arguments: the test runner's JSON file, and the exit code of the whole run. Without a JSON file a check before the tests
 * failed; if all tests passed but the exit code is not 0, something beside them failed. Either counts as one failure.
 */
import { existsSync, readFileSync } from 'node:fs'

type Results = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[]
}

const [file = '', code = '1'] = process.argv.slice(2)
const results: Results | null = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : null

const passed = results?.numPassedTests ?? 0
const skipped = (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0)
// A test file that cannot be loaded has no tests that could fail.
const unloaded = results?.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
)
const failed = (results?.numFailedTests ?? 0) + (unloaded?.length ?? 0)

const counted = failed === 0 && (code !== '0' || passed === 0) ? 1 : failed
console.log(`${passed} passed, ${counted} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
