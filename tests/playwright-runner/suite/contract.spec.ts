import { test } from 'playwright/test'
import { contractTests } from '../../../playwright-runner/index.ts'

await contractTests(test, { seed: 7, cases: 400, token: process.env.PLANTSTORE_TOKEN ?? '', concurrency: 8 })
