import { existsSync } from 'node:fs'

const places = [
  // Without windows it needs about two thirds of the time.
  '/usr/bin/chromium-headless-shell',
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

/** With these flags Chromium does not use the network by itself. For root it starts only without its sandbox. */
export const browserFlags: readonly string[] = process.getuid?.() === 0 ? [...flags, '--no-sandbox'] : flags

/** The message if no browser is found. */
export const noBrowser =
  'no browser was found: name one in PLANTSTORE_BROWSER, install Chromium or Google Chrome, or run `npx playwright install chromium`'

/**
 * The Chromium to start: the one that PLANTSTORE_BROWSER names, the one that Playwright `installed`, or the system's; null if there
 * is none. Throws if PLANTSTORE_BROWSER names a file that does not exist.
 */
export const findBrowser = (installed: string): string | null => {
  const named = process.env.PLANTSTORE_BROWSER
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`PLANTSTORE_BROWSER names a browser that does not exist: ${named}`)
  }
  return [installed, ...places].find(place => place !== '' && existsSync(place)) ?? null
}
