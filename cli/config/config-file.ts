import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../process/exit.ts'

/** A configuration as it was found. */
export type ConfigFile = {
  /** As a user would type it. */
  readonly file: string
  readonly folder: string
  readonly value: Readonly<Record<string, unknown>>
  /** Where a setting stands: with its line, in YAML and JSON. */
  readonly at: (path: readonly (string | number)[]) => string
}

const endings = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'] as const

/** Reads the configuration: the file that is named, or the one in the working directory; null where there is none. */
export const readConfig = async (named: string | null): Promise<ConfigFile | null> => {
  const file = named ?? found()
  if (file === null) return null
  if (!existsSync(file)) throw new UsageError(`the configuration ${file} is not there`)
  const { value, at } = await (endingOf(file) === 'module' ? readModule(file) : readText(file))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(
      `${file} holds no configuration: ${endingOf(file) === 'module' ? 'export default defineConfig({ … })' : 'it must be a map of settings'}`,
    )
  return { file, folder: dirname(resolve(file)), value: value as ConfigFile['value'], at }
}

const found = (): string | null => {
  const there = endings.map(ending => `plantstore.config.${ending}`).filter(file => existsSync(file))
  if (there.length > 1)
    throw new UsageError(`there are ${there.join(' and ')}: keep one of them, or name one with --config`)
  return there[0] ?? null
}

const endingOf = (file: string): 'module' | 'text' => {
  const ending = extname(file).slice(1)
  if (!endings.some(one => one === ending))
    throw new UsageError(`the configuration ${file} must end in .${endings.join(', .')}`)
  return /^m?[jt]s$/.test(ending) ? 'module' : 'text'
}

type Read = Pick<ConfigFile, 'at'> & { readonly value: unknown }

const readModule = async (file: string): Promise<Read> => {
  const { href } = pathToFileURL(resolve(file))
  // In a package that does not say what its files are, Node tries, and warns each time that it had to.
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      return found.url === href && href.endsWith('.ts') ? { ...found, format: 'module-typescript' } : found
    },
  })
  try {
    const { default: value } = (await import(href)) as { default?: unknown }
    return { value, at: () => file }
  } catch (error) {
    const [said] = (error instanceof Error ? error.message : String(error)).split('\n')
    const own = /plantstore-contract/.test(said ?? '') ? ' (npm install --save-dev plantstore-contract)' : ''
    throw new UsageError(`the configuration ${file} cannot be loaded: ${said}${own}`)
  } finally {
    hooks.deregister()
  }
}

const readText = async (file: string): Promise<Read> => {
  const { readYamlFile } = await import('./yaml-file.ts')
  const { value, at } = readYamlFile(file, 'the configuration')
  return { value: value ?? {}, at }
}
