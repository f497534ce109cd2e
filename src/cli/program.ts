import { Command, CommanderError, Option } from 'commander'
import { UsageError, unknownName } from '../core/errors.ts'
import { adoptDashFiles } from './accept-dash-filenames.ts'
import { Call, type CallOptions, type CommandContext, camelCase } from './call.ts'
import type { ArgumentSpec, CommandSpec, OptionSpec } from './command.ts'
import { addCommandName } from './file-first.ts'
import { commonOptions } from './options.ts'
import { loadCommands } from './specs/index.ts'
import { version } from './version.ts'

// Parses a command line and carries it out; returns the exit code. Errors are thrown, those of the parser as UsageErrors.
export async function runCommandLine(given: readonly string[], world: CommandContext): Promise<number> {
  const commands = await loadCommands()
  const argv = addCommandName(adoptDashFiles(given, world.cwd, commands), world.cwd, commands)
  let code = 0
  const program = new Command('longtake')
    .description('Ask questions about long local videos and get answers with evidence.')
    .option('-V, --version', 'print the version')
    .configureHelp({
      showGlobalOptions: true,
      visibleCommands: command => command.commands.filter(below => !hidden.has(below)),
    })
    .configureOutput({
      writeOut: text => world.terminal.out(text),
      writeErr: () => {},
      getOutHelpWidth: () => world.terminal.columns(),
    })
    .exitOverride()
    .addHelpText(
      'before',
      examples([
        'longtake talk.mp4 "Why did the second speaker leave?"',
        'longtake talk.mp4        (a conversation)',
        'longtake index lectures/',
        'longtake doctor',
      ]),
    )
    .addHelpText('after', '\nMore on one command: longtake help COMMAND')
  program.on('option:version', () => {
    world.terminal.out(`${version()}\n`)
    throw new CommanderError(0, 'commander.version', '')
  })
  for (const option of commonOptions) addOption(program, option)
  const run = async (spec: CommandSpec, given: readonly string[], options: CallOptions) => {
    code = await carryOut(spec, given, { options, commands, world })
  }
  for (const spec of commands) addCommand(program, spec, run)
  const [first] = argv.filter(word => !word.startsWith('-'))
  if (first === 'help') refuseUnknown(argv, commands)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    if (error.code === 'commander.help') {
      const group = findGroup(program, argv)
      if (group) throw new UsageError(missingCommand(group), { hint: `See "longtake ${group.name()} --help".` })
      program.outputHelp()
      return 0
    }
    throw usageError(error, argv, commands)
  }
  return code
}

const hidden = new WeakSet<Command>() // commands by an earlier name

type Run = (spec: CommandSpec, given: readonly string[], options: CallOptions) => Promise<void>

function addCommand(parent: Command, spec: CommandSpec, run: Run): void {
  const command = parent
    .command(spec.name)
    .helpGroup(spec.group ? `${spec.group}:` : 'Commands:')
    .description(spec.details ? `${spec.summary}.\n${spec.details}` : spec.summary)
    .summary(spec.summary)
  command.copyInheritedSettings(parent)
  if (spec.isHidden) hidden.add(command)
  if (spec.isMissing) command.allowUnknownOption()
  if (spec.examples) command.addHelpText('before', examples(spec.examples))
  for (const argument of spec.arguments ?? []) command.argument(argumentTerm(argument), argument.about)
  for (const option of spec.options ?? []) addOption(command, option)
  for (const below of spec.commands ?? []) addCommand(command, below, run)
  if (spec.load) command.action(() => run(spec, command.args, command.optsWithGlobals()))
}

export function addOption(command: Command, spec: OptionSpec): void {
  const about = Array.isArray(spec.values) ? `${spec.about}: ${spec.values.join(', ')}` : spec.about
  const flags = `${spec.letter ? `-${spec.letter}, ` : ''}${spec.flag}`
  const option = new Option(spec.value ? `${flags} <${spec.value}>` : flags, about)
  option.negate = false // "--no-x" is a switch of that name, and not "--x" switched off
  if (spec.many)
    option.argParser((value: string, before: string[] = []) => [
      ...before,
      ...(Array.isArray(spec.values) ? value.split(',') : [value]),
    ])
  command.addOption(option)
}

function argumentTerm({ name, kind }: ArgumentSpec): string {
  if (kind === 'any') return `[${name}...]`
  return kind === 'optional' ? `[${name}]` : kind === 'many' ? `<${name}...>` : `<${name}>`
}

function examples(lines: readonly string[]): string {
  return `Examples:\n${lines.map(line => `  ${line}`).join('\n')}\n`
}

async function carryOut(
  spec: CommandSpec,
  given: readonly string[],
  { options, commands, world }: { options: CallOptions; commands: readonly CommandSpec[]; world: CommandContext },
): Promise<number> {
  checkValues(spec, given, options)
  const run = await spec.load?.()
  const call = new Call(given, options, world)
  try {
    return (await run?.(call, commands)) ?? 0
  } finally {
    await call.close()
  }
}

// Checks values against their lists, and options that exclude each other.
function checkValues(spec: CommandSpec, given: readonly string[], options: CallOptions): void {
  for (const [at, argument] of (spec.arguments ?? []).entries()) {
    const value = given[at]
    if (Array.isArray(argument.values) && value !== undefined && !argument.values.includes(value))
      throw unknownName(argument.name, value, argument.values)
  }
  for (const option of [...(spec.options ?? []), ...commonOptions]) {
    const value = options[camelCase(option.flag)]
    if (value === undefined) continue
    if (Array.isArray(option.values)) {
      for (const word of [value].flat().map(String))
        if (!option.values.includes(word)) throw unknownName(option.flag, word, option.values)
    }
    const other = option.excludes?.find(name => options[name] !== undefined)
    if (other)
      throw new UsageError(`${option.flag} and --${other} cannot go together.`, { hint: 'Leave one of them out.' })
    if (option.needs && options[option.needs] === undefined)
      throw new UsageError(`${option.flag} has no effect without --${option.needs}.`, {
        hint: `Add --${option.needs}, or leave ${option.flag} out.`,
      })
  }
}

// The parser's own errors, as a sentence and a hint.
function usageError(error: CommanderError, argv: readonly string[], commands: readonly CommandSpec[]): UsageError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
  const near = /\(Did you mean (?:one of )?(.*?)\?\)/.exec(rest.join(' '))?.[1]
  const sentence = `${first.slice(0, 1).toUpperCase()}${first.slice(1).replace(/'([^']*)'/g, '"$1"')}${/[.?]$/.test(first) ? '' : '.'}`
  return new UsageError(sentence, { hint: near ? `Did you mean "${near}"?` : hintFor(error.code, argv, commands) })
}

function hintFor(code: string, argv: readonly string[], commands: readonly CommandSpec[]): string | undefined {
  switch (code) {
    case 'commander.unknownOption':
      return 'If it is a file or a text that begins with a dash, put -- before it.'
    case 'commander.excessArguments':
      return 'Put a question or a name with spaces in quotes.'
    default:
      return `See "${['longtake', ...commandIn(argv, commands), '--help'].join(' ')}".`
  }
}

// The words of a command line that name its command.
function commandIn(argv: readonly string[], commands: readonly CommandSpec[]): string[] {
  const path: string[] = []
  let below = commands
  for (const word of argv) {
    const command = below.find(spec => spec.name === word)
    if (!command) continue
    path.push(word)
    below = command.commands ?? []
  }
  return path
}

function findGroup(program: Command, argv: readonly string[]): Command | undefined {
  return program.commands.find(command => command.name() === argv.find(word => !word.startsWith('-')))
}

function missingCommand(group: Command): string {
  return `longtake ${group.name()} needs a command: ${group.commands.map(command => command.name()).join(', ')}.`
}

// "longtake help WORD" of a word that is not a command.
function refuseUnknown(argv: readonly string[], commands: readonly CommandSpec[]): void {
  const word = argv[argv.indexOf('help') + 1]
  if (word === undefined || word.startsWith('-') || commands.some(({ name }) => name === word)) return
  throw unknownName(
    'command',
    word,
    commands.flatMap(({ name, isHidden }) => (isHidden ? [] : [name])),
  )
}
