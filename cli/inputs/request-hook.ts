import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type { RequestHook } from '../../conformance/index.ts'
import { UsageError } from '../process/exit.ts'

/** Loads the module of --request-hook, whose default export is the hook. Throws UsageError. */
export const readRequestHook = (file: string): RequestHook => {
  let loaded: unknown
  try {
    loaded = createRequire(import.meta.url)(resolve(file))
  } catch (error) {
    const [line = ''] = String((error as Error).message).split('\n')
    throw new UsageError(`--request-hook ${file} cannot be loaded: ${line}`)
  }
  const hook = typeof loaded === 'function' ? loaded : (loaded as { default?: unknown } | null)?.default
  if (typeof hook !== 'function')
    throw new UsageError(
      `--request-hook ${file} must export a function by default: it gets each request, and returns headers`,
    )
  return hook as RequestHook
}
