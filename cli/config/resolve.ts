import { relative, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { variableOf } from '../options/environment.ts'
import { documentOfFolder } from '../options/spec-flags.ts'
import { UsageError } from '../process/exit.ts'
import { type ConfigFile, checkConfig, readConfig, readValue } from './config-file.ts'
import { keepSettings, type Origin, type ResolvedSettings } from './resolved-settings.ts'
import { configurable, parseText, type Setting, sectionOf, settingsOf, sharedSettings } from './setting.ts'

/**
 * Completes the options of a command whose flags were parsed: flags override the environment, which overrides the file, which
 * overrides defaults. Throws UsageError if the environment or the file has an invalid value.
 */
export const resolveSettings = async (command: Command): Promise<ResolvedSettings> => {
  const file = fileOf(command)
  const config = file === false ? null : await readConfig(file)
  if (config !== null) checkConfig(config, configurable(command.parent?.commands ?? []))
  const settings = settingsOf(command).map(setting => {
    const { value, origin } = resolveSetting(command, setting, config)
    if (origin.kind === 'environment' || origin.kind === 'file') put(command, setting, value)
    return { setting, value, origin }
  })
  return keepSettings(command, { file: config?.file ?? null, settings })
}

/** The file that is given; null: look for one, false: use none. */
const fileOf = (command: Command): string | null | false => {
  const flag = command.opts<{ config?: string | boolean }>().config
  if (flag === false) return false
  return typeof flag === 'string' ? flag : (variableOf('config')?.value ?? null)
}

type Resolved = { readonly value: unknown; readonly origin: Origin }

const resolveSetting = (command: Command, setting: Setting, config: ConfigFile | null): Resolved =>
  fromFlag(command, setting) ??
  fromEnvironment(setting) ??
  (config === null ? null : fromFile(command, setting, config)) ??
  fromFolder(command, setting) ?? {
    value: setting.flag === null ? command.processedArgs[0] : command.getOptionValue(setting.name),
    origin: { kind: 'default', at: null },
  }

const fromFlag = (command: Command, { name, flag }: Setting): Resolved | null => {
  if (flag === null)
    return command.args.length === 0
      ? null
      : { value: command.processedArgs[0], origin: { kind: 'flag', at: null } }
  return command.getOptionValueSource(name) === 'cli'
    ? { value: command.getOptionValue(name), origin: { kind: 'flag', at: flag } }
    : null
}

const fromEnvironment = (setting: Setting): Resolved | null => {
  const variable = variableOf(setting.name)
  if (variable === null) return null
  try {
    return {
      value: parseText(setting, variable.value),
      origin: { kind: 'environment', at: variable.name },
    }
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new UsageError(`${variable.name} is invalid: ${error.message}`)
  }
}

const fromFile = (command: Command, setting: Setting, config: ConfigFile): Resolved | null => {
  const { name } = setting
  const section = (config.value[sectionOf(command)] ?? {}) as Readonly<Record<string, unknown>>
  const path = Object.hasOwn(section, name)
    ? [sectionOf(command), name]
    : sharedSettings().some(shared => shared.name === name) && Object.hasOwn(config.value, name)
      ? [name]
      : null
  if (path === null) return null
  const given = path.length === 2 ? section[name] : config.value[name]
  const { value, variables } = readValue(config, path, setting, given)
  const at = [config.at(path), ...variables].join(', ')
  return { value: withPaths(setting, value, config), origin: { kind: 'file', at } }
}

const fromFolder = (command: Command, { name }: Setting): Resolved | null => {
  const found = name === 'spec' ? documentOfFolder(command) : null
  return found === null ? null : { value: found, origin: { kind: 'folder', at: null } }
}

/** Paths in a file are relative to its folder. */
const withPaths = ({ parse }: Setting, value: unknown, { folder }: ConfigFile): unknown => {
  const isInline = parse?.inline === true && typeof value !== 'string'
  if (parse?.mapPaths === undefined || isInline || folder === process.cwd()) return value
  return parse.mapPaths(value as never, path =>
    /^[a-z]+:\/\//i.test(path) ? path : relative(process.cwd(), resolve(folder, path)),
  )
}

const put = (command: Command, { name, flag }: Setting, value: unknown): void => {
  if (flag === null) command.processedArgs[0] = value
  else command.setOptionValueWithSource(name, value, 'config')
}
