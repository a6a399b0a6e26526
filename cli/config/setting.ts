import { type Command, InvalidArgumentError, type Option } from 'commander'
import { type Traits, token } from '../options/parse.ts'
import { specOptions, unauthenticatedOption } from '../options/spec-flags.ts'
import { transportOptions } from '../options/transport-flags.ts'
import { filledIn, reference } from './environment.ts'

/** What a flag gives, as far as a file or the environment may give it as well. */
export type Setting = {
  readonly name: string
  readonly description: string
  readonly parse: (((text: string, before: unknown) => unknown) & Traits) | null
  readonly choices: readonly string[] | null
  /** It is on or off. */
  readonly isSwitch: boolean
  /** As it is typed; null of an argument. */
  readonly flag: string | null
}

// What is of the moment, and not of a project: how loud to be, what to do with a file, which part to send.
const ofFlags = ['config', 'quiet', 'verbose', 'updateBaseline', 'shard']

/** The settings of a verb, in the order of its help. */
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
  ...options.filter(option => !ofFlags.includes(option.attributeName())).map(settingOf),
]

/** Those that may stand outside of the sections, for all verbs that have them. */
export const sharedSettings = (): readonly Setting[] => [
  ...[
    ...specOptions(),
    unauthenticatedOption('how missing or wrong credentials are answered, or are to be'),
    ...transportOptions(),
  ].map(settingOf),
  {
    name: 'token',
    description: `the variable of the environment that holds the right token, such as \${STAGING_TOKEN}`,
    parse: token as Setting['parse'],
    choices: null,
    isSwitch: false,
    flag: '--token',
  },
]

/** Names that are known, and given by flags alone. */
export const isOfFlags = (name: string): boolean => ofFlags.includes(name)

const settingOf = (option: Option): Setting => ({
  name: option.attributeName(),
  description: option.description,
  parse: (option.argChoices === undefined ? (option.parseArg ?? null) : null) as Setting['parse'],
  choices: option.argChoices ?? null,
  isSwitch: option.isBoolean() || option.negate,
  flag: option.long ?? null,
})

/** A value as the flag would give it. Throws InvalidArgumentError where it cannot be one. */
export const valueFor = (setting: Setting, text: string, before?: unknown): unknown => {
  const { choices, parse } = setting
  if (choices !== null && !choices.includes(text))
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
  return parse === null ? text : parse(text, before)
}

export type Given = {
  readonly value: unknown
  /** Variables of the environment that the file names. */
  readonly variables: readonly string[]
}

/** What a file gives for a setting, as the flag would give it. Throws InvalidArgumentError where it cannot be that. */
export const givenFor = (setting: Setting, given: unknown): Given => {
  const { parse, isSwitch, name } = setting
  if (isSwitch) {
    if (typeof given !== 'boolean') throw new InvalidArgumentError('It must be true or false.')
    return { value: given, variables: [] }
  }
  if (parse?.inline === true && Array.isArray(given)) return { value: given, variables: [] }
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
  if (name === 'token' && !items.every(item => isReference.test(String(item))))
    throw new InvalidArgumentError(
      `A token does not belong in a file: name the variable that holds it, such as \${STAGING_TOKEN}, or set PLANTSTORE_TOKEN.`,
    )
  const texts = items.map(item => filled(String(item)))
  const variables = texts.flatMap(({ names }) => names)
  if (many === 'commas')
    return { value: valueFor(setting, texts.map(({ text }) => text).join(',')), variables }
  let value: unknown
  for (const { text } of texts) value = valueFor(setting, text, value)
  return { value, variables }
}

const isReference = new RegExp(`^${reference}$`)

const filled = (text: string): ReturnType<typeof filledIn> => {
  try {
    return filledIn(text)
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`)
  }
}
