import { existsSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { UsageError } from '../process/exit.ts'
import { loadModule } from './module-file.ts'

/** A configuration file and its content. */
export type ConfigFile = {
  /** As a user would type it. */
  readonly file: string
  readonly folder: string
  readonly value: Readonly<Record<string, unknown>>
  /** The place of a setting, in YAML and JSON with its line. */
  readonly at: (path: readonly (string | number)[]) => string
}

const endings = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'] as const

/** Reads the configuration: the given file, or the one in the working directory; null if there is none. */
export const readConfig = async (given: string | null): Promise<ConfigFile | null> => {
  const file = given ?? inWorkingDirectory()
  if (file === null) return null
  if (!existsSync(file)) throw new UsageError(`the configuration ${file} does not exist`)
  const { value, at } = await (endingOf(file) === 'module' ? readModule(file) : readText(file))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(
      `${file} is not a configuration: it must ${endingOf(file) === 'module' ? 'export default defineConfig({ … })' : 'be a map of settings'}`,
    )
  return { file, folder: dirname(resolve(file)), value: value as ConfigFile['value'], at }
}

const inWorkingDirectory = (): string | null => {
  const existing = endings.map(ending => `plantstore.config.${ending}`).filter(file => existsSync(file))
  if (existing.length > 1)
    throw new UsageError(`there are ${existing.join(' and ')}: keep one of them, or choose one with --config`)
  return existing[0] ?? null
}

const endingOf = (file: string): 'module' | 'text' => {
  const ending = extname(file).slice(1)
  if (!endings.some(one => one === ending))
    throw new UsageError(`the configuration ${file} must end in .${endings.join(', .')}`)
  return /^m?[jt]s$/.test(ending) ? 'module' : 'text'
}

type Read = Pick<ConfigFile, 'at'> & { readonly value: unknown }

const readModule = async (file: string): Promise<Read> => {
  const { default: value } = await loadModule(file, 'the configuration')
  return { value, at: () => file }
}

const readText = async (file: string): Promise<Read> => {
  const { readYamlFile } = await import('./yaml-file.ts')
  const { value, at } = readYamlFile(file, 'the configuration')
  return { value: value ?? {}, at }
}
