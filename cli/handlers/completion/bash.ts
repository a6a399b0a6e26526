import { type CompletedCommand, childrenOf, type Values } from './completed-command.ts'

/** The completion script of bash, 3.2 or newer. */
export const bashScript = (commands: readonly CompletedCommand[]): string => {
  const groups = commands.filter(
    command => command.path.length > 0 && childrenOf(command, commands).length > 0,
  )
  return `# bash completion of plantstore: source <(plantstore completion bash)

_plantstore_add() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$1$line"); done
}

_plantstore_words() {
  _plantstore_add '' < <(compgen -W "$1" -- "$2")
}

# Words with commas between them.
_plantstore_list() {
  local before=''
  if [[ $2 == *,* ]]; then before="\${2%,*},"; fi
  compopt -o nospace 2> /dev/null
  _plantstore_add "$before" < <(compgen -W "$1" -- "\${2##*,}")
}

# -f: files and folders, -d: folders.
_plantstore_paths() {
  compopt -o filenames 2> /dev/null
  _plantstore_add '' < <(compgen "$1" -- "$2")
}

_plantstore() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command=''
  COMPREPLY=()
  # In --flag=value, bash takes the sign for a word of its own.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  if ((COMP_CWORD > 1)); then command="\${COMP_WORDS[1]}"; fi
  case "$command" in
${groups.map(({ path }) => `    '${path.join(' ')}') if ((COMP_CWORD > 2)); then command="$command \${COMP_WORDS[2]}"; fi ;;`).join('\n')}
  esac
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $current == -* ]]; then
    case "$command" in
${commands.map(flagCase).join('\n')}
    esac
    return
  fi
  case "$command" in
${commands.flatMap(argumentCase).join('\n')}
  esac
}

complete -F _plantstore plantstore
`
}

const action = (values: Values): string => {
  switch (values.kind) {
    case 'free':
      return ':'
    case 'file':
      return '_plantstore_paths -f "$current"'
    case 'folder':
      return '_plantstore_paths -d "$current"'
    case 'word':
      return `_plantstore_words '${values.words.join(' ')}' "$current"`
    case 'list':
      return `_plantstore_list '${values.words.join(' ')}' "$current"`
    default:
      return values satisfies never
  }
}

/** One case for all flags of a command whose values are completed alike. */
const valueCases = ({ path, flags }: CompletedCommand): readonly string[] => {
  const valued = flags.flatMap(flag => (flag.values === null ? [] : [{ ...flag, values: flag.values }]))
  return [...Map.groupBy(valued, ({ values }) => action(values))].map(
    ([run, members]) =>
      `    ${members.map(({ long }) => `'${path.join(' ')} ${long}'`).join(' | ')}) ${run}; return ;;`,
  )
}

const flagCase = ({ path, flags }: CompletedCommand): string => {
  const names = flags.flatMap(({ long, short }) => (short === null ? [long] : [long, short]))
  return `      '${path.join(' ')}') _plantstore_words '${names.join(' ')}' "$current" ;;`
}

const argumentCase = ({ path, values }: CompletedCommand): readonly string[] =>
  values.kind === 'free' ? [] : [`    '${path.join(' ')}') ${action(values)} ;;`]
