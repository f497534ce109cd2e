import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts'
import { type CompletedCommand, completedCommands, quoteWord } from './words.ts'

// The script that "source <(longtake config completion bash)" loads.
export function bashCompletion(table: readonly CommandSpec[]): string {
  const commands = completedCommands(table)
  return `# bash completion for longtake
_longtake() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' place=0 word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$command/$word" in
${commands.flatMap(steps).join('\n')}
      */-*) ;;
      *) case "\${COMP_WORDS[i-1]}" in ${valued(commands)}) ;; *) ((place++)) ;; esac ;;
    esac
  done
  COMPREPLY=()
  case "$command/$previous" in
${commands.flatMap(optionValues).join('\n')}
  esac
  case "$command" in
${commands.map(words).join('\n')}
  esac
}
complete -o bashdefault -o default -F _longtake longtake
`
}

function joinPath(path: readonly string[]): string {
  return path.join(' ')
}

function steps({ path, commands }: CompletedCommand): string[] {
  return commands.map(
    ({ name }) =>
      `      ${quoteWord(`${joinPath(path)}/${name}`)}) command=${quoteWord(joinPath([...path, name]))}; place=0 ;;`,
  )
}

function valued(commands: readonly CompletedCommand[]): string {
  const flags = new Set(
    commands.flatMap(command => command.options.filter(option => option.value).map(option => option.flag)),
  )
  return [...flags].join('|')
}

function optionValues({ path, options }: CompletedCommand): string[] {
  return options
    .filter(option => option.value)
    .map(option => `    ${quoteWord(`${joinPath(path)}/${option.flag}`)}) ${offer(option.values)}; return ;;`)
}

function words({ path, options, arguments: given, commands }: CompletedCommand): string {
  const flags = options.map(option => option.flag).join(' ')
  const names = commands.map(command => command.name).join(' ')
  const places = given.map(
    (argument, at) => `${argument.kind === 'many' || argument.kind === 'any' ? '*' : at}) ${offer(argument.values)} ;;`,
  )
  const plain = names
    ? `COMPREPLY=($(compgen -W ${quoteWord(names)} -- "$current"))`
    : places.length > 0
      ? `case "$place" in ${places.join(' ')} esac`
      : ':'
  return `    ${quoteWord(joinPath(path))})
      if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W ${quoteWord(flags)} -- "$current")); else ${plain}; fi ;;`
}

// An empty reply lets bash complete files.
function offer(values: OptionSpec['values'] | ArgumentSpec['values']): string {
  return Array.isArray(values)
    ? `COMPREPLY=($(compgen -W ${quoteWord(values.join(' '))} -- "$current"))`
    : 'COMPREPLY=()'
}
