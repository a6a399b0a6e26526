import type { Command, Option } from 'commander'
import type { Traits } from '../cli/options/parse.ts'
import { createProgram } from '../cli/program.ts'

/** The commands of the action; each gets those inputs that it has a flag for. */
export const commands = ['verify', 'merge', 'compare', 'evolve', 'proxy'] as const

/** Flags of these that are no inputs of `action.yml` like the others, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  '--token': 'its input becomes PLANTSTORE_TOKEN, so that the token is in no list of processes',
  '--other-token': 'a configuration names the variable that has it, or the job sets PLANTSTORE_OTHER_TOKEN',
  '--other-token-b': 'a configuration names the variable that has it, as for --token-b',
  '--token-b': 'a configuration names the variable that has it, so that it is in no list of processes',
  '--summary': 'the action reads the line itself, and has it as an output',
  '--format': 'the action chooses that of annotations or of text',
}

/** What the action does if an input is not given, where the command would do something else. */
const defaults: Readonly<Record<string, string>> = {
  '--wait-for': '30s',
  '--report': 'all',
}

/** What an input is if it is not given, where that depends on another. */
const expressions: Readonly<Record<string, { readonly about: string; readonly text: string }>> = {
  '--seed': {
    about: ' (default: the number of the run, or from the nonce)',
    text: "inputs.seed || inputs.nonce == '' && github.run_number || ''",
  },
}

/** What an input is for, where two commands have flags of one name. */
const abouts: Readonly<Record<string, string>> = {
  '--fail-on':
    'compare: fail if verdicts differ, or any answer (verdicts, any); proxy: fail if requests, responses or any of them broke the contract (request, response, any)',
}

/** How the script of the action reads an input: as one value, a value in each line, or true and false. */
const kindOf = (option: Option): 'VALUE' | 'LINES' | 'SWITCH' => {
  if (option.isBoolean() || option.negate) return 'SWITCH'
  return (option.parseArg as Traits | undefined)?.many === 'each' ? 'LINES' : 'VALUE'
}

const commandOf = (name: string): Command => {
  const command = createProgram().commands.find(each => each.name() === name)
  if (command === undefined) throw new Error(`there is no command ${name}`)
  return command
}

const inputsOf = (command: Command): readonly Option[] =>
  command.options.filter(({ long }) => long != null && !Object.hasOwn(exceptions, long))

/** What a command does not take from the inputs: their defaults are not for it. */
const notFor: Readonly<Record<string, readonly string[]>> = { compare: ['report'], evolve: ['seed'] }

/** `wait-for` */
const nameOf = ({ long }: Option): string => (long ?? '').slice('--'.length)

const inputText = (option: Option): string => {
  const kind = kindOf(option)
  const hasDefault = Object.hasOwn(defaults, option.long ?? '')
  const told = abouts[option.long ?? '']
  const about = (told ?? option.description)
    .replace(/; repeatable$/, '')
    .replace(hasDefault ? / \(default: [^()]*\)/ : '', '')
    .replace(/ \(default: [^()]*\)/, text => expressions[option.long ?? '']?.about ?? text)
  const choices =
    told !== undefined || option.argChoices === undefined ? '' : `: ${option.argChoices.join(', ')}`
  const form = { VALUE: choices, LINES: ', one in each line', SWITCH: ' (true or false)' }[kind]
  const fallback = defaults[option.long ?? ''] ?? (kind === 'SWITCH' ? '"false"' : '""')
  return `  ${nameOf(option)}:\n    description: ${quoted(`${about}${form}`)}\n    default: ${fallback}\n`
}

const variableText = (option: Option): string =>
  `        WITH_${kindOf(option)}_${nameOf(option).toUpperCase().replaceAll('-', '_')}: \${{ ${expressions[option.long ?? '']?.text ?? `inputs.${nameOf(option)}`} }}\n`

const flagsText = (command: string): string => {
  const names = inputsOf(commandOf(command))
    .map(nameOf)
    .filter(name => notFor[command]?.includes(name) !== true)
  return `        FLAGS_OF_${command}: ${names.join(' ')}\n`
}

/** `action.yml` with the inputs and the environment of its script made from the flags of its commands. */
export const actionText = (text: string): string => {
  const byName = new Map<string, Option>()
  for (const option of commands.flatMap(command => inputsOf(commandOf(command))))
    if (!byName.has(nameOf(option))) byName.set(nameOf(option), option)
  const options = [...byName.values()]
  const environment = [...commands.map(flagsText), ...options.map(variableText)].join('')
  return withPart(withPart(text, 'inputs', options.map(inputText).join('')), 'environment', environment)
}

/** Replaces what stands between two comments. */
const withPart = (text: string, name: string, part: string): string => {
  const lines = new RegExp(`(# begin ${name}[^\\n]*\\n)[\\s\\S]*?( *# end ${name}\\n)`)
  if (!lines.test(text)) throw new Error(`action.yml has no part ${name}`)
  return text.replace(lines, (_, begin: string, end: string) => `${begin}${part}${end}`)
}

/** A YAML string, in the quotation marks that need no escapes. */
const quoted = (text: string): string =>
  text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text)
