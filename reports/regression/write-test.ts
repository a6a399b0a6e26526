/** Regression tests in the form of other tools: each is a file of its own that needs nothing of ours. */
import type { TestFormat } from '../defaults.ts'
import { http, postman } from './http-clients.ts'
import { playwright, vitest } from './javascript.ts'
import { pytest } from './python.ts'
import type { RegressionTest } from './regression-test.ts'

export const writeTest = (format: TestFormat, test: RegressionTest): string => writers[format](test)

const writers: Readonly<Record<TestFormat, (test: RegressionTest) => string>> = {
  vitest,
  playwright,
  pytest,
  http,
  postman,
}
