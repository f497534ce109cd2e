import type { CommandSpec } from '../command.ts'
import { type Completed, completedCommands, quoted } from './words.ts'

// The script for ~/.config/fish/completions/longtake.fish.
export function fishCompletion(table: readonly CommandSpec[]): string {
  const lines = completedCommands(table).flatMap(command => [
    ...subcommands(command),
    ...options(command),
    ...argumentsOf(command),
  ])
  return `# fish completion for longtake\n${lines.join('\n')}\n`
}

// True where exactly this command has been typed so far.
function when({ path, commands }: Completed): string {
  if (path.length === 0) return quoted('__fish_use_subcommand')
  const seen = path.map(name => `__fish_seen_subcommand_from ${name}`)
  const names = commands.map(command => command.name).join(' ')
  return quoted([...seen, ...(names ? [`not __fish_seen_subcommand_from ${names}`] : [])].join('; and '))
}

function subcommands(command: Completed): string[] {
  return command.commands.map(
    ({ name, summary }) => `complete -c longtake -f -n ${when(command)} -a ${name} -d ${quoted(summary)}`,
  )
}

function options(command: Completed): string[] {
  return command.options.map(option => {
    const values = Array.isArray(option.values)
      ? ` -f -a ${quoted(option.values.join(' '))}`
      : option.values === 'files'
        ? ' -F'
        : ' -f'
    const takes = option.value ? ` -r${values}` : ''
    return `complete -c longtake -n ${when(command)} -l ${option.flag.slice(2)}${takes} -d ${quoted(option.about)}`
  })
}

function argumentsOf(command: Completed): string[] {
  return command.arguments.flatMap(({ values }) => {
    if (Array.isArray(values)) return [`complete -c longtake -f -n ${when(command)} -a ${quoted(values.join(' '))}`]
    return values === 'files' ? [`complete -c longtake -F -n ${when(command)}`] : []
  })
}
