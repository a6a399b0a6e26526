import type { Command } from 'commander'
import { nearest, safeText } from '../../spec/index.ts'
import { resolveSettings } from '../config/resolve.ts'
import type { Origin, ResolvedSettings } from '../config/resolved-settings.ts'
import { configurable, type Setting } from '../config/setting.ts'
import { UsageError } from '../process/exit.ts'
import { print } from '../process/terminal.ts'

export type ConfigFlags = { readonly format: 'text' | 'json' }

export const showConfig = async (self: Command, { format }: ConfigFlags): Promise<void> => {
  const [first] = self.args
  const isNamed = first !== undefined && !first.startsWith('-')
  const name = isNamed ? first : 'verify'
  const commands = configurable(self.parent?.commands ?? [])
  const command = commands.find(candidate => candidate.name() === name)
  if (command === undefined) throw new UsageError(unknownCommand(name, commands))
  const resolved = await resolvedBy(command, self.args.slice(isNamed ? 1 : 0))
  print(format === 'json' ? jsonOf(name, resolved) : textOf(name, resolved))
}

const unknownCommand = (name: string, commands: readonly Command[]): string => {
  const names = commands.map(command => command.name())
  const [near] = nearest(name, names)
  return `${name} is not a command with settings${near === undefined ? `: choose ${names.join(', ')}` : ` (did you mean ${near}?)`}`
}

/** Parses the flags as the command does, without running it. */
const resolvedBy = async (command: Command, flags: readonly string[]): Promise<ResolvedSettings> => {
  for (const argument of command.registeredArguments) argument.required = false
  await command.action(() => {}).parseAsync([...flags], { from: 'user' })
  return resolveSettings(command)
}

const textOf = (name: string, { file, settings }: ResolvedSettings): string => {
  const rows = settings.map(({ setting, value, origin }) => [
    setting.name,
    shown(setting, value) ?? '–',
    originText(origin),
  ])
  const widthOf = (column: number): number =>
    Math.min(60, Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const [names, values] = [widthOf(0), widthOf(1)]
  return [
    `${name}   ${file === null ? 'no configuration file' : safeText(file)}`,
    ...rows.map(([setting = '', value = '', origin = '']) =>
      `  ${setting.padEnd(names)}   ${value.padEnd(values)}   ${origin}`.trimEnd(),
    ),
  ].join('\n')
}

const originText = ({ kind, at }: Origin): string => {
  if (kind === 'file') return safeText(at ?? '')
  return kind === 'default' || kind === 'folder' ? kind : at === null ? 'argument' : `${kind} ${at}`
}

const jsonOf = (command: string, { file, settings }: ResolvedSettings): string =>
  JSON.stringify(
    {
      format: 'plantstore-config',
      version: 1,
      command,
      file,
      settings: settings.map(({ setting, value, origin }) => ({
        name: setting.name,
        value: shown(setting, value),
        origin,
      })),
    },
    null,
    2,
  )

/** A value as it would be typed, without secrets; null if there is none. */
const shown = ({ name, parse, isSwitch }: Setting, value: unknown): string | null => {
  if (value === undefined) return isSwitch ? 'false' : null
  if (name === 'authWfc' && typeof value !== 'string') return '(not shown)'
  if (['token', 'tokenB', 'otherToken', 'otherTokenB'].includes(name)) return '(not shown)'
  if (['secret', 'secretFile', 'secretCommand'].includes(name))
    return (value as readonly (readonly string[])[]).map(([scheme]) => `${scheme}=…`).join(', ')
  if (name === 'header')
    return (value as readonly (readonly string[])[]).map(([header]) => `${header}: …`).join(', ')
  if (value instanceof URL) return value.password === '' ? value.href : `${value.protocol}//…@${value.host}/`
  if (Array.isArray(value))
    return safeText(
      value.every(item => typeof item === 'string') ? value.join(',') : `${value.length} in the file itself`,
    )
  return safeText(`${String(value)}${parse?.unit ?? ''}`)
}
