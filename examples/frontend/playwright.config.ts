import { defineConfig } from 'playwright/test'

const { MOCK_PORT = '4010', APP_PORT = '4173', PLANTSTORE_BROWSER } = process.env
const store = `http://127.0.0.1:${MOCK_PORT}`
const app = `http://127.0.0.1:${APP_PORT}`

export default defineConfig({
  testDir: 'tests',
  use: {
    baseURL: app,
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
  webServer: [
    { command: `npm run mock -- --port ${MOCK_PORT}`, url: `${store}/__plantstore/health` },
    {
      command: `npm run build && npm run preview -- --host 127.0.0.1 --port ${APP_PORT} --strictPort`,
      url: app,
      env: { VITE_STORE: store },
    },
  ],
})
