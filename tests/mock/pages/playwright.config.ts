import { defineConfig } from 'playwright/test'

// Run by tests/mock/mounts/playwright.test.ts, which starts the browser and reads the result of each test.
export default defineConfig({
  testDir: '.',
  workers: 1,
  use: { connectOptions: { wsEndpoint: process.env.BROWSER_ENDPOINT ?? '' } },
})
