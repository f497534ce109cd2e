import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts'
import { type CompletedCommand, completedCommands, quoteWord } from './words.ts'

// The script for a file named _longtake in a folder of $fpath, or for "source <(longtake config completion zsh)".
export function zshCompletion(table: readonly CommandSpec[]): string {
  const commands = completedCommands(table)
  return `#compdef longtake
${commands.map(define).join('\n')}
if [ "$funcstack[1]" = "_longtake" ]; then _longtake "$@"; else compdef _longtake longtake; fi
`
}

function define(command: CompletedCommand): string {
  const specs = command.options.map(option)
  const { path, commands } = command
  const name = ['_longtake', ...path].join('_')
  if (commands.length === 0)
    return `${name}() {\n  _arguments ${[...specs, ...command.arguments.map(argument)].join(' \\\n    ')}\n}`
  const choices = commands.map(below => quoteWord(`${below.name}:${below.summary.replaceAll(':', '\\:')}`)).join(' ')
  const calls = commands.map(
    below => `    ${below.name}) ${existing(below.name, path, commands) ? `${name}_${below.name}` : '_files'} ;;`,
  )
  return `${name}() {
  local line state
  local -a choices=(${choices})
  _arguments -C ${specs.join(' \\\n    ')} '1: :->command' '*:: :->rest'
  case "$state" in
  command) _describe command choices ;;
  rest) case "$line[1]" in
${calls.join('\n')}
    esac ;;
  esac
}`
}

function existing(name: string, path: readonly string[], commands: CompletedCommand['commands']): boolean {
  return commands.some(command => command.name === name) && !(path.length === 0 && name === 'help')
}

function option({ flag, about, value, values, many }: OptionSpec): string {
  const text = about.replace(/[[\]:]/g, '\\$&')
  return quoteWord(`${many ? '*' : ''}${flag}[${text}]${value ? `:${value}:${action(values)}` : ''}`)
}

function argument({ name, kind, values }: ArgumentSpec): string {
  return quoteWord(
    `${kind === 'many' || kind === 'any' ? '*' : kind === 'optional' ? ':' : ''}:${name}:${action(values)}`,
  )
}

function action(values: OptionSpec['values'] | ArgumentSpec['values']): string {
  if (Array.isArray(values)) return `(${values.join(' ')})`
  return values === 'files' ? '_files' : ' '
}
