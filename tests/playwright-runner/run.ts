import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readLedger } from '../../reports/index.ts'
import { foldLedger, type Ledger } from '../../spec/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'node_modules/playwright/cli.js')

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
      { cwd: root, env: { PATH, HOME, NO_COLOR: '1', ...env }, maxBuffer: 2 ** 26 },
    )
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

export const ledgerIn = (folder: string): Ledger =>
  foldLedger(readLedger(readFileSync(join(folder, 'ledger.ndjson'), 'utf8')))
