import { test } from 'playwright/test'
import { contractTests } from '../../../playwright-runner/index.ts'

const { PLANTSTORE_SEED = '7', PLANTSTORE_TOKEN = '' } = process.env

await contractTests(test, {
  seed: Number(PLANTSTORE_SEED),
  cases: 250,
  minTested: 0.999,
  token: PLANTSTORE_TOKEN,
  concurrency: 8,
})
