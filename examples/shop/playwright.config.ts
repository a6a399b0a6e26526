import { defineConfig } from 'playwright/test'

const { MOCK_APP_PORT = '4181', REAL_APP_PORT = '4182', SHOP_PORT = '4183', PLANTSTORE_BROWSER } = process.env
const at = (port: string) => `http://127.0.0.1:${port}`
const preview = (port: string) => `npm run preview -- --host 127.0.0.1 --port ${port} --strictPort`

/** The same tests, of the same build: once the mock stands in for the shop, and once there is a real one. */
export default defineConfig({
  testDir: 'tests',
  projects: [
    { name: 'mock', use: { baseURL: at(MOCK_APP_PORT) } },
    { name: 'real', use: { baseURL: at(REAL_APP_PORT) } },
  ],
  use: {
    // An installed browser, such as the system's; by default Playwright's own (npx playwright install chromium).
    ...(PLANTSTORE_BROWSER === undefined
      ? {}
      : {
          launchOptions: {
            executablePath: PLANTSTORE_BROWSER,
            args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
          },
        }),
  },
  // One after the other: the second preview finds what the first one built.
  webServer: [
    { command: `npm run build && ${preview(MOCK_APP_PORT)}`, url: `${at(MOCK_APP_PORT)}/api/products` },
    { command: 'npm run server', url: `${at(SHOP_PORT)}/products`, env: { PORT: SHOP_PORT } },
    {
      command: preview(REAL_APP_PORT),
      url: `${at(REAL_APP_PORT)}/api/products`,
      env: { SHOP: at(SHOP_PORT) },
    },
  ],
})
