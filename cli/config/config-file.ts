import { existsSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { nearest } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'
import { loadModule } from './module-file.ts'
import {
  type FileValue,
  isFlagOnly,
  parseFileValue,
  type Setting,
  sectionOf,
  settingsOf,
  sharedSettings,
} from './setting.ts'

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

/** Keys of a file that are not settings. */
const reservedKeys = ['$schema', 'version']

/** Throws UsageError, with the line, for an unknown setting and for an invalid value. */
export const checkConfig = (config: ConfigFile, commands: readonly Command[]): void => {
  const { value, at } = config
  if (value.version !== undefined && value.version !== 1)
    throw new UsageError(`${at(['version'])}: version: only version 1 is supported`)
  const sections = commands.map(sectionOf)
  const shared = sharedSettings()
  const known = [...reservedKeys, ...sections, ...shared.map(({ name }) => name)]
  for (const [key, given] of Object.entries(value)) {
    if (reservedKeys.includes(key)) continue
    const command = commands.find(candidate => sectionOf(candidate) === key)
    if (command === undefined) {
      const setting = shared.find(({ name }) => name === key)
      if (setting === undefined) throw new UsageError(`${at([key])}: ${unknownKey(key, known, commands)}`)
      checkValue(config, [key], setting, given)
    } else if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new UsageError(`${at([key])}: ${key}: it must be a map of settings`)
    else checkSection(config, command, given)
  }
}

const checkSection = (config: ConfigFile, command: Command, section: object): void => {
  const settings = settingsOf(command)
  for (const [key, given] of Object.entries(section)) {
    const path = [sectionOf(command), key]
    const setting = settings.find(({ name }) => name === key)
    if (setting === undefined)
      throw new UsageError(
        `${config.at(path)}: ${isFlagOnly(key) ? `${path.join('.')} can only be given by its flag` : `${command.name()} has no setting ${key}${suggestion(key, names(settings))}`}`,
      )
    checkValue(config, path, setting, given)
  }
}

const names = (settings: readonly Setting[]): readonly string[] => settings.map(({ name }) => name)

const unknownKey = (key: string, known: readonly string[], commands: readonly Command[]): string => {
  const owners = commands.filter(command => names(settingsOf(command)).includes(key)).map(sectionOf)
  return owners.length > 0
    ? `${key} belongs in a section: ${[owners.slice(0, -1).join(', '), ...owners.slice(-1)].filter(each => each !== '').join(' or ')}`
    : `there is no setting or command ${key}${suggestion(key, known)}`
}

const suggestion = (key: string, known: readonly string[]): string => {
  const [near] = nearest(key, known)
  return near === undefined ? `: known are ${known.join(', ')}` : ` (did you mean ${near}?)`
}

/** Checks a value, unless it names environment variables: only the command that uses it needs those. */
const checkValue = (config: ConfigFile, path: readonly string[], setting: Setting, given: unknown): void => {
  if (!JSON.stringify(given ?? null).includes('${')) readValue(config, path, setting, given)
}

/** Parses a value of a file. Throws UsageError with its place. */
export const readValue = (
  { at }: ConfigFile,
  path: readonly string[],
  setting: Setting,
  given: unknown,
): FileValue => {
  try {
    return parseFileValue(setting, given)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new UsageError(`${at(path)}: ${path.join('.')}: ${error.message}`)
  }
}
