import type { TestInfo, TestType } from 'playwright/test'
import {
  createPlanCache,
  keptBetweenRuns,
  planSlices,
  readEvidence,
  type ShardOptions,
  verifyShard,
} from '../conformance/index.ts'
import type { Contract } from '../spec/index.ts'
import { attachmentName } from './attachment.ts'
import { contractOf } from './contract.ts'
import { failureMessage } from './failure-message.ts'

export type ContractTestsOptions = Omit<
  ShardOptions,
  'target' | 'slices' | 'planCache' | 'onEvent' | 'signal' | 'bail'
> & {
  /** Base URL of the server under test. Default: `baseURL` of the configuration. */
  readonly target?: string | URL
}

/**
 * Makes a Playwright test of each slice of the plan, so that shards, workers and retries send what a single run would. A test
 * fails with everything that its requests show: a failure that two slices show fails both. Throws DocumentError, SelectionError
 * and PinError.
 *
 * @example
 * import { test } from '@playwright/test'
 * await contractTests(test, { seed: 7, token: 'secret' })
 */
export const contractTests = async <T extends Fixtures, W extends object>(
  playwrightTest: TestType<T, W>,
  options: ContractTestsOptions,
): Promise<void> => {
  const test = playwrightTest as unknown as TestType<Fixtures, object>
  const contract = await contractOf(options.contract)
  // The tests of a worker share the plan, and the token as long as it is right.
  const planCache = createPlanCache()
  const [token, otherToken] = [options.token, options.otherToken].map(given =>
    typeof given === 'function' ? keptBetweenRuns(given) : given,
  )
  for (const [operation, slices] of Map.groupBy(planSlices(contract, options), slice => slice.operation))
    test.describe(operation, () => {
      test.describe.configure({ mode: 'parallel' })
      for (const { name, family } of slices)
        test(family, marked, async ({ baseURL }, info) => {
          const target = options.target ?? baseURL
          if (target === undefined)
            throw new Error('no server to test: give contractTests a target, or the configuration a baseURL')
          // Each response has a time limit, and each slice a limited number of requests.
          info.setTimeout(0)
          const text = await test.step(`send the plan slice ${name}`, () =>
            verifyShard({ ...options, token, otherToken, contract, target, planCache, slices: [name] }))
          await judge(text, { contract, info, test })
        })
    })
}

/** By this the reporter recognises a test without a shard result. */
const marked = { annotation: { type: attachmentName } }

type Fixtures = { baseURL: string | undefined }

type Running = {
  readonly contract: Contract
  readonly info: TestInfo
  readonly test: Pick<TestType<Fixtures, object>, 'step'>
}

/** Hands a shard result to the reporter, and fails the test if the server failed. */
const judge = async (text: string, { contract, info, test }: Running): Promise<void> => {
  await info.attach(attachmentName, { body: text, contentType: 'application/json' })
  const result = readEvidence(text, contract)
  const { requests, cases, ms } = result.results
  info.annotations.push({ type: 'requests', description: `${requests} sent, ${cases} cases, ${ms} ms` })
  await test.step('judge the responses', () => {
    const message = failureMessage(contract, result)
    if (message !== null) throw new Error(message)
  })
}
