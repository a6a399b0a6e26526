import { type Command, InvalidArgumentError, type Option } from 'commander'
import { expand, reference } from '../options/environment.ts'
import type { Traits } from '../options/parse.ts'
import { specOptions, unauthenticatedOption } from '../options/spec-flags.ts'
import { tokenOptions } from '../options/token-flags.ts'
import { transportOptions } from '../options/transport-flags.ts'

/** An option that a file or the environment may give as well. */
export type Setting = {
  readonly name: string
  readonly description: string
  readonly parse: (((text: string, before: unknown) => unknown) & Traits) | null
  readonly choices: readonly string[] | null
  /** Whether it is a boolean. */
  readonly isSwitch: boolean
  /** `--seed`; null: it is an argument. */
  readonly flag: string | null
}

/** Options of one run and not of a project: only their flags give them. */
const flagsOnly = ['config', 'quiet', 'verbose', 'summary', 'updateBaseline', 'shard', 'allowPartial']

/** The commands that a configuration has a section for. */
const sections = [
  'verify',
  'mock',
  'proxy',
  'replay',
  'merge',
  'obligations',
  'lint',
  'compare',
  'evolve',
  'selftest',
]

/** The name of a command's section: `proxy` is a setting of all commands, the proxy that they connect through. */
export const sectionOf = (command: Command): string =>
  command.name() === 'proxy' ? 'reverseProxy' : command.name()

/** The commands that have a section, of all commands of a program. */
export const configurable = (commands: readonly Command[]): readonly Command[] =>
  commands.filter(command => sections.includes(command.name()))

/** The settings of a command, in the order of its help. */
export const settingsOf = ({ registeredArguments, options }: Command): readonly Setting[] => [
  ...registeredArguments
    .filter(argument => argument.name() === 'url')
    .map(argument => ({
      name: 'url',
      description: argument.description,
      parse: (argument.parseArg ?? null) as Setting['parse'],
      choices: null,
      isSwitch: false,
      flag: null,
    })),
  ...options.filter(option => !flagsOnly.includes(option.attributeName())).map(settingOf),
]

/** The settings that may also stand outside the sections, for all commands that have them. */
export const sharedSettings = (): readonly Setting[] =>
  [
    ...specOptions(),
    unauthenticatedOption('how missing or wrong credentials are, or have to be, answered'),
    ...transportOptions(),
    ...tokenOptions(`the environment variable that holds the right token, such as \${STAGING_TOKEN}`),
  ].map(settingOf)

/** Whether only a flag can give the option of this name. */
export const isFlagOnly = (name: string): boolean => flagsOnly.includes(name)

const settingOf = (option: Option): Setting => ({
  name: option.attributeName(),
  description: option.description,
  parse: (option.argChoices === undefined ? (option.parseArg ?? null) : null) as Setting['parse'],
  choices: option.argChoices ?? null,
  isSwitch: option.isBoolean() || option.negate,
  flag: option.long ?? null,
})

/** Parses a text as the flag does. Throws InvalidArgumentError. */
export const parseText = (setting: Setting, text: string, before?: unknown): unknown => {
  const { choices, parse } = setting
  if (choices !== null && !choices.includes(text))
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
  return parse === null ? text : parse(text, before)
}

export type FileValue = {
  readonly value: unknown
  /** The environment variables that the file names. */
  readonly variables: readonly string[]
}

/** Parses what a file gives for a setting. Throws InvalidArgumentError. */
export const parseFileValue = (setting: Setting, given: unknown): FileValue => {
  const { parse, isSwitch, name } = setting
  if (isSwitch) {
    if (typeof given !== 'boolean') throw new InvalidArgumentError('It must be true or false.')
    return { value: given, variables: [] }
  }
  if (
    parse?.inline === true &&
    typeof given === 'object' &&
    given !== null &&
    (Array.isArray(given) ? parse.many === undefined : true)
  )
    return { value: given, variables: [] }
  const many = parse?.many ?? null
  const takesNumbers = parse?.isNumber === true || setting.choices !== null
  const items: readonly unknown[] = Array.isArray(given) && many !== null ? given : [given]
  const isText = (item: unknown): boolean =>
    typeof item === 'string' || (takesNumbers && typeof item === 'number')
  if (items.length === 0 || !items.every(isText)) {
    const kind = takesNumbers ? 'text or number' : 'text'
    throw new InvalidArgumentError(
      many === null ? `It must be one ${kind}.` : `It must be ${kind}, or a list.`,
    )
  }
  if (name === 'secret' && !items.every(item => isReference.test(String(item).replace(/^[^=]*=/, ''))))
    throw new InvalidArgumentError(
      `Do not store a secret in a file: name the environment variable that holds it, such as apiKey=\${STAGING_KEY}, or set PLANTSTORE_SECRET_NAME.`,
    )
  if (
    ['token', 'tokenB', 'otherToken', 'otherTokenB'].includes(name) &&
    !items.every(item => isReference.test(String(item)))
  )
    throw new InvalidArgumentError(
      `Do not store a token in a file: name the environment variable that holds it, such as \${STAGING_TOKEN}, or set PLANTSTORE_TOKEN.`,
    )
  const texts = items.map(item =>
    parse?.isShell === true ? { text: String(item), names: [] } : expanded(String(item)),
  )
  const variables = texts.flatMap(({ names }) => names)
  if (many === 'commas')
    return { value: parseText(setting, texts.map(({ text }) => text).join(',')), variables }
  let value: unknown
  for (const { text } of texts) value = parseText(setting, text, value)
  return { value, variables }
}

const isReference = new RegExp(`^${reference}$`)

const expanded = (text: string): ReturnType<typeof expand> => {
  try {
    return expand(text)
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`)
  }
}
