import { relative, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { configurable } from '../commands/verbs.ts'
import { UsageError } from '../process/exit.ts'
import { checkConfig, readValue } from './check-config.ts'
import { type ConfigFile, readConfig } from './config-file.ts'
import { variableOf } from './environment.ts'
import { keepSettled, type Origin, type Settled } from './resolved.ts'
import { type Setting, settingsOf, sharedSettings, valueFor } from './setting.ts'

/**
 * Gives a verb whose flags were read what they left out: flags go over the environment, that over the file, that over
 * defaults. Throws UsageError where the environment or the file holds what cannot be.
 */
export const settle = async (command: Command): Promise<Settled> => {
  const named = namedConfig(command)
  const config = named === false ? null : await readConfig(named)
  if (config !== null)
    checkConfig(
      config,
      configurable(() => {}),
    )
  const settings = settingsOf(command).map(setting => {
    const { value, origin } = valueOfSetting(command, setting, config)
    if (origin.kind === 'environment' || origin.kind === 'file') put(command, setting, value)
    return { setting, value, origin }
  })
  return keepSettled(command, { file: config?.file ?? null, settings })
}

/** The file that is named; null where one is to be looked for, false where none is. */
const namedConfig = (command: Command): string | null | false => {
  const flag = command.opts<{ config?: string | boolean }>().config
  if (flag === false) return false
  return typeof flag === 'string' ? flag : (variableOf('config')?.value ?? null)
}

type Valued = { readonly value: unknown; readonly origin: Origin }

const valueOfSetting = (command: Command, setting: Setting, config: ConfigFile | null): Valued =>
  fromFlag(command, setting) ??
  fromEnvironment(setting) ??
  (config === null ? null : fromFile(command, setting, config)) ?? {
    value: setting.flag === null ? command.processedArgs[0] : command.getOptionValue(setting.name),
    origin: { kind: 'default', at: null },
  }

const fromFlag = (command: Command, { name, flag }: Setting): Valued | null => {
  if (flag === null)
    return command.args.length === 0
      ? null
      : { value: command.processedArgs[0], origin: { kind: 'flag', at: null } }
  return command.getOptionValueSource(name) === 'cli'
    ? { value: command.getOptionValue(name), origin: { kind: 'flag', at: flag } }
    : null
}

const fromEnvironment = (setting: Setting): Valued | null => {
  const variable = variableOf(setting.name)
  if (variable === null) return null
  try {
    return { value: valueFor(setting, variable.value), origin: { kind: 'environment', at: variable.name } }
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new UsageError(`${variable.name} cannot be used: ${error.message}`)
  }
}

const fromFile = (command: Command, setting: Setting, config: ConfigFile): Valued | null => {
  const { name } = setting
  const section = (config.value[command.name()] ?? {}) as Readonly<Record<string, unknown>>
  const path = Object.hasOwn(section, name)
    ? [command.name(), name]
    : sharedSettings().some(shared => shared.name === name) && Object.hasOwn(config.value, name)
      ? [name]
      : null
  if (path === null) return null
  const given = path.length === 2 ? section[name] : config.value[name]
  const { value, variables } = readValue(config, path, setting, given)
  const at = [config.at(path), ...variables].join(', ')
  return { value: placed(setting, value, config), origin: { kind: 'file', at } }
}

/** A path is meant from the folder of the file that names it. */
const placed = ({ parse }: Setting, value: unknown, { folder }: ConfigFile): unknown => {
  // What stands in the file itself is no path.
  const isInline = parse?.inline === true && typeof value !== 'string'
  if (parse?.moved === undefined || isInline || folder === process.cwd()) return value
  return parse.moved(value as never, path =>
    /^[a-z]+:\/\//i.test(path) ? path : relative(process.cwd(), resolve(folder, path)),
  )
}

const put = (command: Command, { name, flag }: Setting, value: unknown): void => {
  if (flag === null) command.processedArgs[0] = value
  else command.setOptionValueWithSource(name, value, 'config')
}
