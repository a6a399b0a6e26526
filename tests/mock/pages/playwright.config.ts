import { defineConfig } from 'playwright/test'
import { launchOptions } from '../../browser.ts'

// Run by tests/mock/playwright.test.ts, which reads what came of each test.
export default defineConfig({
  testDir: '.',
  workers: 1,
  use: { launchOptions: await launchOptions() },
})
