import { type CompletedCommand, type CompletedFlag, childrenOf, type Values } from './completed-command.ts'

/** The completion script of fish. */
export const fishScript = (
  commands: readonly CompletedCommand[],
): string => `# fish completion of plantstore: ~/.config/fish/completions/plantstore.fish

# Whether the command line has got to this command. A command stands before its flags.
function __plantstore_at
    set -l words (commandline -opc)[2..]
    test (count $words) -ge (count $argv); or return 1
    test (count $argv) -gt 0; or return (count $words)
    test "$words[1..$(count $argv)]" = "$argv"
end

complete -c plantstore -e
complete -c plantstore -f
${commands.flatMap(command => linesOf(command, commands)).join('\n')}
`

const linesOf = (command: CompletedCommand, commands: readonly CompletedCommand[]): readonly string[] => {
  const { path, flags, values } = command
  const start = `complete -c plantstore -n ${quoted(['__plantstore_at', ...path].join(' '))}`
  const children = childrenOf(command, commands)
  // With one of its commands behind it, a group completes no other.
  const place = `complete -c plantstore -n ${quoted(`__plantstore_at ${path.join(' ')}; and test (count (commandline -opc)) -eq ${path.length + 1}`)}`
  return [
    ...children.map(child => `${place} -a ${child.path.at(-1)} -d ${quoted(child.about)}`),
    ...flags.map(flag => `${start} ${flagText(flag)} -d ${quoted(flag.about)}`),
    ...(children.length > 0 || values.kind === 'free' ? [] : [`${start} ${valueText(values)}`]),
  ]
}

const flagText = ({ long, short, values }: CompletedFlag): string =>
  [
    `-l ${long.slice('--'.length)}`,
    ...(short === null ? [] : [`-s ${short.slice('-'.length)}`]),
    ...(values === null ? [] : ['-r', ...(values.kind === 'free' ? ['-f'] : [valueText(values)])]),
  ].join(' ')

const valueText = (values: Values): string => {
  switch (values.kind) {
    case 'free':
      return ''
    case 'file':
      return '-F'
    case 'folder':
      return "-f -a '(__fish_complete_directories)'"
    case 'word':
      return `-f -a ${quoted(values.words.join(' '))}`
    case 'list':
      return `-f -a ${quoted(`(__fish_append , ${values.words.join(' ')})`)}`
    default:
      return values satisfies never
  }
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
