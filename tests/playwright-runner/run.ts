import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { readLedger } from '../../reports/index.ts'
import { bundleCommand } from '../../scripts/bundle-command.ts'
import { foldLedger, type Ledger } from '../../spec/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'node_modules/playwright/cli.js')

let built = ''
// Playwright would compile each of our modules again in each of its processes. Users load JavaScript as well.
beforeAll(async () => {
  // It imports packages, so it has to be inside the checkout.
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  built = mkdtempSync(join(cache, 'playwright-runner-'))
  await bundleCommand({ index: join(root, 'playwright-runner/index.ts') }, built)
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

export type Ran = { readonly code: number; readonly output: string }

/** Runs Playwright's own command on the suite beside this file. */
export const playwright = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ran> => {
  const { PATH = '', HOME = '' } = process.env
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [program, ...args, '--config', 'tests/playwright-runner/suite/playwright.config.ts'],
      {
        cwd: root,
        env: {
          ...{ PATH, HOME, NO_COLOR: '1' },
          PLANTSTORE_RUNNER: join(built, 'index.js'),
          NODE_COMPILE_CACHE: join(built, 'compiled'),
          ...env,
        },
        maxBuffer: 2 ** 26,
      },
    )
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

export const ledgerIn = (folder: string): Ledger =>
  foldLedger(readLedger(readFileSync(join(folder, 'ledger.ndjson'), 'utf8')))
