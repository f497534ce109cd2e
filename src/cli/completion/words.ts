import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts'
import { commonOptions } from '../options.ts'

// One command as the completion scripts see it: "config show", and what may follow.
export interface CompletedCommand {
  path: string[]
  summary: string
  options: OptionSpec[]
  arguments: ArgumentSpec[]
  commands: { name: string; summary: string }[]
}

const always: OptionSpec[] = [...commonOptions, { flag: '--help', about: 'show the help' }]

export function completedCommands(table: readonly CommandSpec[]): CompletedCommand[] {
  const root: CommandSpec = {
    name: 'longtake',
    summary: 'longtake',
    options: [{ flag: '--version', about: 'print the version' }],
    commands: [...table.filter(({ isHidden }) => !isHidden), { name: 'help', summary: 'Show the help of a command' }],
  }
  return flatten(root, [])
}

function flatten(spec: CommandSpec, path: string[]): CompletedCommand[] {
  const below = spec.commands ?? []
  const ownCommand = {
    path,
    summary: spec.summary,
    options: [...(spec.options ?? []), ...always],
    arguments: spec.arguments ?? [],
    commands: below.map(({ name, summary }) => ({ name, summary })),
  }
  return [ownCommand, ...below.flatMap(command => flatten(command, [...path, command.name]))]
}

// A text as one word of a shell.
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
