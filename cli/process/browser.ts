import { existsSync } from 'node:fs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const flags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]

/** With these, a Chromium asks nothing of the network by itself. As root it starts without its sandbox only. */
export const browserFlags: readonly string[] = process.getuid?.() === 0 ? [...flags, '--no-sandbox'] : flags

/** Said where no browser was found. */
export const noBrowser =
  'no browser was found: name one in PLANTSTORE_BROWSER, install Chromium or Google Chrome, or run `npx playwright install chromium`'

/**
 * The Chromium to start: the one that PLANTSTORE_BROWSER names, Playwright's `own`, or the system's; null where there
 * is none. Throws where PLANTSTORE_BROWSER names one that is not there.
 */
export const findBrowser = (own: string): string | null => {
  const named = process.env.PLANTSTORE_BROWSER
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`PLANTSTORE_BROWSER names a browser that is not there: ${named}`)
  }
  return [own, ...places].find(place => place !== '' && existsSync(place)) ?? null
}
