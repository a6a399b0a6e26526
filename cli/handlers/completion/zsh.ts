import { type CompletedCommand, type CompletedFlag, childrenOf, type Values } from './completed-command.ts'

/** The completion script of zsh: to be sourced after compinit, or a file `_plantstore` in a folder of `fpath`. */
export const zshScript = (commands: readonly CompletedCommand[]): string => `#compdef plantstore
# zsh completion of plantstore: source <(plantstore completion zsh)

${commands.map(command => functionOf(command, commands)).join('\n\n')}

if [ "$funcstack[1]" = _plantstore ]; then _plantstore "$@"; else compdef _plantstore plantstore; fi
`

/** `_plantstore_bundle_verify` */
const nameOf = (path: readonly string[]): string => ['_plantstore', ...path].join('_')

const functionOf = (command: CompletedCommand, commands: readonly CompletedCommand[]): string => {
  const { path, flags, values } = command
  const children = childrenOf(command, commands)
  const specs = flags.flatMap(flagSpecs)
  if (children.length > 0)
    return `${nameOf(path)}() {
  local line state
  local -a commands=(
${children.map(child => `    ${quoted(`${child.path.at(-1)}:${child.about}`)}`).join('\n')}
  )
  _arguments -C \\
${specs.map(spec => `    ${spec} \\`).join('\n')}
    '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${children.map(child => `        ${child.path.at(-1)}) ${nameOf(child.path)} ;;`).join('\n')}
      esac ;;
  esac
}`
  return `${nameOf(path)}() {
  _arguments -s \\
${[...specs, ...(values.kind === 'free' ? [] : [quoted(`*:argument:${action(values)}`)])].map(spec => `    ${spec}`).join(' \\\n')}
}`
}

const flagSpecs = ({ long, short, about, values, isRepeatable }: CompletedFlag): readonly string[] => {
  const text = `[${about.replace(/[[\]\\]/g, '\\$&')}]`
  const value = values === null ? '' : `:${long.slice('--'.length)}:${action(values)}`
  const star = isRepeatable ? '*' : ''
  return [long, ...(short === null ? [] : [short])].map(name =>
    quoted(`${star}${name}${values === null || !name.startsWith('--') ? '' : '='}${text}${value}`),
  )
}

const action = (values: Values): string => {
  switch (values.kind) {
    case 'free':
      return ' '
    case 'file':
      return '_files'
    case 'folder':
      return '_files -/'
    case 'word':
      return `(${values.words.join(' ')})`
    case 'list':
      return `_values -s , value ${values.words.join(' ')}`
    default:
      return values satisfies never
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
