import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../process/exit.ts'

/** What a module of the user exports. `what`: what it is, for errors. Throws UsageError. */
export const loadModule = async (file: string, what: string): Promise<Readonly<Record<string, unknown>>> => {
  const { href } = pathToFileURL(resolve(file))
  // If no package.json names the type of the module, Node detects it, and warns every time.
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      return found.url === href && href.endsWith('.ts') ? { ...found, format: 'module-typescript' } : found
    },
  })
  try {
    return (await import(href)) as Readonly<Record<string, unknown>>
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    const hint = /plantstore-contract/.test(reason ?? '')
      ? ' (npm install --save-dev plantstore-contract)'
      : ''
    throw new UsageError(`${what} ${file} cannot be loaded: ${reason}${hint}`)
  } finally {
    hooks.deregister()
  }
}
