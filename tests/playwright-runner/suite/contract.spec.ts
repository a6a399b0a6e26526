import { test } from 'playwright/test'

const { PLANTSTORE_RUNNER = '', PLANTSTORE_SEED = '7', PLANTSTORE_TOKEN = '' } = process.env
const { contractTests }: typeof import('../../../playwright-runner/index.ts') = await import(
  PLANTSTORE_RUNNER
)

await contractTests(test, {
  seed: Number(PLANTSTORE_SEED),
  cases: 350,
  minTested: 0.999,
  token: PLANTSTORE_TOKEN,
  concurrency: 8,
})
