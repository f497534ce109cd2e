import type { CommandSpec } from '../command.ts'
import { type CompletedCommand, completedCommands, quoteWord } from './words.ts'

// The script for ~/.config/fish/completions/longtake.fish.
export function fishCompletion(table: readonly CommandSpec[]): string {
  const lines = completedCommands(table).flatMap(command => [
    ...subcommands(command),
    ...options(command),
    ...completeArguments(command),
  ])
  return `# fish completion for longtake\n${lines.join('\n')}\n`
}

// True where exactly this command has been typed so far.
function when({ path, commands }: CompletedCommand): string {
  if (path.length === 0) return quoteWord('__fish_use_subcommand')
  const seen = path.map(name => `__fish_seen_subcommand_from ${name}`)
  const names = commands.map(command => command.name).join(' ')
  return quoteWord([...seen, ...(names ? [`not __fish_seen_subcommand_from ${names}`] : [])].join('; and '))
}

function subcommands(command: CompletedCommand): string[] {
  return command.commands.map(
    ({ name, summary }) => `complete -c longtake -f -n ${when(command)} -a ${name} -d ${quoteWord(summary)}`,
  )
}

function options(command: CompletedCommand): string[] {
  return command.options.map(option => {
    const values = Array.isArray(option.values)
      ? ` -f -a ${quoteWord(option.values.join(' '))}`
      : option.values === 'files'
        ? ' -F'
        : ' -f'
    const takes = option.value ? ` -r${values}` : ''
    return `complete -c longtake -n ${when(command)} -l ${option.flag.slice(2)}${takes} -d ${quoteWord(option.about)}`
  })
}

function completeArguments(command: CompletedCommand): string[] {
  return command.arguments.flatMap(({ values }) => {
    if (Array.isArray(values)) return [`complete -c longtake -f -n ${when(command)} -a ${quoteWord(values.join(' '))}`]
    return values === 'files' ? [`complete -c longtake -F -n ${when(command)}`] : []
  })
}
