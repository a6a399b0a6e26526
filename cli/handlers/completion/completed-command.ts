import type { Argument, Command, Option } from 'commander'
import { configurable } from '../../config/setting.ts'
import type { Traits } from '../../options/parse.ts'

/** What can stand in a place: nothing that a shell knows, files, folders, or one of these words (`list`: several, with commas). */
export type Values =
  | { readonly kind: 'free' | 'file' | 'folder' }
  | { readonly kind: 'word' | 'list'; readonly words: readonly string[] }

export type CompletedFlag = {
  /** `--quiet`, `-q` */
  readonly long: string
  readonly short: string | null
  readonly about: string
  /** Null: it takes no value. */
  readonly values: Values | null
  readonly isRepeatable: boolean
}

/** A command as shells complete it. */
export type CompletedCommand = {
  /** `['bundle', 'verify']`; empty for the program itself. */
  readonly path: readonly string[]
  readonly about: string
  readonly flags: readonly CompletedFlag[]
  /** What its arguments can be; the names of its commands if it has any. */
  readonly values: Values
}

/** The program and all its commands, a parent before its children. */
export const completedCommands = (program: Command): readonly CompletedCommand[] =>
  commandsBelow(program, [], program)

/** The commands of a group; none of any other command. */
export const childrenOf = (
  { path }: CompletedCommand,
  commands: readonly CompletedCommand[],
): readonly CompletedCommand[] =>
  commands.filter(
    child => child.path.length === path.length + 1 && path.every((name, index) => child.path[index] === name),
  )

const commandsBelow = (
  command: Command,
  path: readonly string[],
  program: Command,
): readonly CompletedCommand[] => [
  {
    path,
    about: command.summary(),
    flags: [...command.options.filter(({ hidden }) => !hidden).map(flagOf), help],
    values: argumentsOf(command, program),
  },
  ...command.commands.flatMap(child => commandsBelow(child, [...path, child.name()], program)),
]

const help: CompletedFlag = {
  long: '--help',
  short: '-h',
  about: 'display help for command',
  values: null,
  isRepeatable: false,
}

const flagOf = (option: Option): CompletedFlag => ({
  long: option.long ?? '',
  short: option.short ?? null,
  about: option.description,
  values: option.required || option.optional ? valuesOf(option) : null,
  isRepeatable: (option.parseArg as Traits | undefined)?.many === 'each',
})

const valuesOf = (option: Option): Values => {
  const words = option.argChoices ?? listed(option)
  if (words !== undefined) return { kind: option.argChoices === undefined ? 'list' : 'word', words }
  const [, placeholder] = /[<[](file|folder)\b/.exec(option.flags) ?? []
  return { kind: placeholder === 'file' || placeholder === 'folder' ? placeholder : 'free' }
}

/** The words of an option that takes several, with commas between them. */
const listed = ({ parseArg }: Option): readonly string[] | undefined => {
  const { many, schema } = (parseArg ?? {}) as Traits
  const { anyOf = [] } = (schema ?? {}) as {
    readonly anyOf?: readonly { readonly enum?: readonly string[] }[]
  }
  return many === 'commas' ? anyOf[0]?.enum : undefined
}

const argumentsOf = (command: Command, program: Command): Values => {
  if (command.commands.length > 0) return { kind: 'word', words: command.commands.map(child => child.name()) }
  const [first] = command.registeredArguments
  return first === undefined ? { kind: 'free' } : argumentOf(first, program)
}

/** Arguments that name a file. */
const files = ['ledger', 'old', 'new', 'results', 'zip']

const argumentOf = (argument: Argument, program: Command): Values => {
  const name = argument.name()
  if (files.includes(name)) return { kind: 'file' }
  if (argument.argChoices !== undefined) return { kind: 'word', words: argument.argChoices }
  if (name === 'url') return { kind: 'word', words: [String(argument.defaultValue)] }
  if (name === 'command')
    return { kind: 'word', words: configurable(program.commands).map(command => command.name()) }
  return { kind: 'free' }
}
