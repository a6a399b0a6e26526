import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright'
import { browserFlags, findBrowser, noBrowser } from '../cli/process/browser.ts'

const isRoot = process.getuid?.() === 0

/**
 * How a real Chromium is started: the one that PLANTSTORE_BROWSER names, Playwright's, or the system's. If there is
 * none and apt-get is available, it is installed; otherwise this throws. A test that needs a browser is never skipped.
 */
export const launchOptions = async (): Promise<{
  readonly executablePath: string
  readonly args: string[]
}> => ({
  executablePath: find() ?? (await install()),
  args: [...browserFlags],
})

export const launchBrowser = async (): Promise<Browser> => chromium.launch(await launchOptions())

const find = (): string | null => findBrowser(chromium.executablePath())

const lock = join(tmpdir(), 'plantstore-browser-install.lock')
const patience = 600_000

// Test workers run in parallel, but only one apt-get can run at a time: the folder is a lock.
const install = async (): Promise<string> => {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) throw new Error(noBrowser)
  while (!take()) {
    await wait(500)
    const found = find()
    if (found !== null && !existsSync(lock)) return found
  }
  try {
    const found = find()
    if (found !== null) return found
    const options = {
      stdio: 'pipe',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: patience,
    } as const
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], options)
    return (
      find() ?? fail('apt-get installed chromium-headless-shell, but it is in none of the places looked at')
    )
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

const take = (): boolean => {
  try {
    mkdirSync(lock)
    return true
  } catch {
    // Left behind by a worker that was killed.
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) > patience)
      rmSync(lock, { recursive: true, force: true })
    return false
  }
}

const fail = (why: string): never => {
  throw new Error(`${noBrowser}\n${why}`)
}
