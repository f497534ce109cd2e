import type { CommandSpec } from '../command.ts'
import { type CompletedCommand, completedCommands, quoteWord } from './words.ts'

// The script for ~/.config/fish/completions/longtake.fish.
export function fishCompletion(table: readonly CommandSpec[]): string {
  const commands = completedCommands(table)
  const steps = commands.flatMap(({ path, commands }) =>
    commands.map(({ name }) => quoteWord(`${path.join(' ')}/${name}`)),
  )
  const lines = commands.flatMap(command => [
    ...subcommands(command),
    ...options(command),
    ...completeArguments(command),
  ])
  return `# fish completion for longtake
# True if the command that has been typed so far is the one that the arguments name.
function __longtake_at
  set -l command ''
  for word in (commandline -opc)
    switch "$command/$word"
      case ${steps.join(' ')}
        set command (string trim "$command $word")
    end
  end
  test "$command" = "$argv"
end
${lines.join('\n')}
`
}

function when({ path }: CompletedCommand): string {
  return quoteWord(['__longtake_at', ...path].join(' '))
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
    const names = `${option.letter ? `-s ${option.letter} ` : ''}-l ${option.flag.slice(2)}`
    return `complete -c longtake -n ${when(command)} ${names}${takes} -d ${quoteWord(option.about)}`
  })
}

function completeArguments(command: CompletedCommand): string[] {
  return command.arguments.flatMap(({ values }) => {
    if (Array.isArray(values)) return [`complete -c longtake -f -n ${when(command)} -a ${quoteWord(values.join(' '))}`]
    return values === 'files' ? [`complete -c longtake -F -n ${when(command)}`] : []
  })
}
