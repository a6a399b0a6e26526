import type { TestInfo, TestType } from 'playwright/test'
import {
  createPlanCache,
  planSlices,
  readEvidence,
  type ShardOptions,
  verifyShard,
} from '../conformance/index.ts'
import type { Contract } from '../spec/index.ts'
import { attachmentName } from './attachment.ts'
import { complaintOf } from './complaint.ts'
import { contractOf } from './contract.ts'

export type ContractTestsOptions = Omit<
  ShardOptions,
  'target' | 'slices' | 'planCache' | 'onEvent' | 'signal' | 'bail'
> & {
  /** Base URL of the server under test. Default: `baseURL` of the configuration. */
  readonly target?: string | URL
}

/**
 * Makes a Playwright test of each operation and family of the plan; each sends its own cell of the one plan, so that
 * shards, workers and retries send what a run as a whole would. Throws DocumentError, SelectionError and PinError.
 *
 * @example
 * import { test } from '@playwright/test'
 * await contractTests(test, { seed: 7, token: 'secret' })
 */
export const contractTests = async <T extends Given, W extends object>(
  given: TestType<T, W>,
  options: ContractTestsOptions,
): Promise<void> => {
  const test = given as unknown as TestType<Given, object>
  const contract = await contractOf(options.contract)
  // The tests of a worker share the plan.
  const planCache = createPlanCache()
  for (const [operation, cells] of Map.groupBy(planSlices(contract, options), cell => cell.operation))
    test.describe(operation, () => {
      test.describe.configure({ mode: 'parallel' })
      for (const cell of cells)
        test(cell.family, ours, async ({ baseURL }, info) => {
          const target = options.target ?? baseURL
          if (target === undefined)
            throw new Error('no server is known: give contractTests a target, or the configuration a baseURL')
          // Each answer has a limit of its own, and each cell a number of requests.
          info.setTimeout(0)
          const text = await test.step(`send the cell ${cell.name}`, () =>
            verifyShard({ ...options, contract, target, planCache, slices: [cell.name] }))
          await tell(text, { contract, info, test })
        })
    })
}

/** By this the reporter knows a test that left nothing. */
const ours = { annotation: { type: attachmentName } }

type Given = { baseURL: string | undefined }

type Told = {
  readonly contract: Contract
  readonly info: TestInfo
  readonly test: Pick<TestType<Given, object>, 'step'>
}

/** Hands the part to the reporter, and fails the test by what its cell shows broken. */
const tell = async (text: string, { contract, info, test }: Told): Promise<void> => {
  await info.attach(attachmentName, { body: text, contentType: 'application/json' })
  const evidence = readEvidence(text, contract)
  const { requests, cases, ms } = evidence.results
  info.annotations.push({ type: 'requests', description: `${requests} sent, ${cases} cases, ${ms} ms` })
  await test.step('judge the answers', () => {
    const complaint = complaintOf(contract, evidence)
    if (complaint !== null) throw new Error(complaint)
  })
}
