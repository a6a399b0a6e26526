/** Builds the command once for all tests: a child process starts in half the time, as it does for users of the package. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { bundleCommand } from '../scripts/bundle-command.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that Node runs for `plantstore`. */
    readonly command: string
  }
}

export default async ({ provide }: TestProject): Promise<() => void> => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  // It imports packages, so it has to be inside the checkout; and each run has its own.
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'plantstore-'))
  await bundleCommand({ plantstore: join(root, 'cli/main.js') }, folder)
  provide('command', join(folder, 'plantstore.js'))
  return () => rmSync(folder, { recursive: true, force: true })
}
