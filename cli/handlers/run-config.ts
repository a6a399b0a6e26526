import type { Command } from 'commander'
import { safeText } from '../../reports/index.ts'
import { nearest } from '../../spec/index.ts'
import { configurable } from '../commands/verbs.ts'
import { settle } from '../config/resolve.ts'
import type { Origin, Settled } from '../config/resolved.ts'
import type { Setting } from '../config/setting.ts'
import { print } from '../outputs/terminal.ts'
import { UsageError } from '../process/exit.ts'

export type ShowFlags = { readonly format: 'text' | 'json' }

export const showConfig = async (command: Command, { format }: ShowFlags): Promise<void> => {
  const [first] = command.args
  const verbs = configurable(() => {})
  const hasVerb = first !== undefined && !first.startsWith('-')
  const name = hasVerb ? first : 'verify'
  const verb = verbs.find(one => one.name() === name)
  if (verb === undefined) throw new UsageError(unknownVerb(name, verbs))
  const settled = await settledBy(verb, command, command.args.slice(hasVerb ? 1 : 0))
  print(format === 'json' ? jsonOf(name, settled) : textOf(name, settled))
}

const unknownVerb = (name: string, verbs: readonly Command[]): string => {
  const names = verbs.map(verb => verb.name())
  const [near] = nearest(name, names)
  return `there are no settings of ${name}${near === undefined ? `: give ${names.join(', ')}` : ` (did you mean ${near}?)`}`
}

/** Reads the flags as the verb would, and does nothing else. */
const settledBy = async (verb: Command, parent: Command, flags: readonly string[]): Promise<Settled> => {
  // What has to be given to do it need not be to look at it.
  for (const argument of verb.registeredArguments) argument.required = false
  await verb
    .copyInheritedSettings(parent)
    .exitOverride()
    .action(() => {})
    .parseAsync([...flags], { from: 'user' })
  return settle(verb)
}

const textOf = (verb: string, { file, settings }: Settled): string => {
  const rows = settings.map(({ setting, value, origin }) => [
    setting.name,
    shown(setting, value) ?? '–',
    originText(origin),
  ])
  const widthOf = (column: number): number =>
    Math.min(60, Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const [names, values] = [widthOf(0), widthOf(1)]
  return [
    `${verb}   ${file === null ? 'no configuration file' : safeText(file)}`,
    ...rows.map(([name = '', value = '', origin = '']) =>
      `  ${name.padEnd(names)}   ${value.padEnd(values)}   ${origin}`.trimEnd(),
    ),
  ].join('\n')
}

const originText = ({ kind, at }: Origin): string => {
  if (kind === 'file') return safeText(at ?? '')
  return kind === 'default' ? kind : at === null ? 'argument' : `${kind} ${at}`
}

const jsonOf = (verb: string, { file, settings }: Settled): string =>
  JSON.stringify(
    {
      format: 'plantstore-config',
      version: 1,
      verb,
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

/** A value as it would be typed; null where there is none. What may be a secret is not shown. */
const shown = ({ name, parse, isSwitch }: Setting, value: unknown): string | null => {
  if (value === undefined) return isSwitch ? 'false' : null
  if (name === 'token') return '(not shown)'
  if (name === 'header')
    return (value as readonly (readonly string[])[]).map(([own]) => `${own}: …`).join(', ')
  if (value instanceof URL) return value.password === '' ? value.href : `${value.protocol}//…@${value.host}/`
  if (Array.isArray(value))
    return safeText(
      value.every(item => typeof item === 'string') ? value.join(',') : `${value.length} in the file itself`,
    )
  return safeText(`${String(value)}${parse?.unit ?? ''}`)
}
