import type { Call } from './call.ts'

// One command as data: the parser, the help, the completions and the page of options are all made from it.
export interface CommandSpec {
  name: string
  summary: string
  details?: string
  arguments?: ArgumentSpec[]
  options?: OptionSpec[]
  examples?: string[]
  commands?: CommandSpec[]
  load?: () => Promise<CommandRun> // loads with the command, not with the help
  isMissing?: true // its package is not installed: any arguments and options lead to that message
  group?: CommandGroup // of the help, at the top level
  isHidden?: true // neither help nor completion shows it: an earlier name, which works for one more version, or what agents call
}

export type CommandGroup = 'Ask' | 'Library' | 'Serve' | 'Measure' | 'Machines' | 'Maintenance'

// A command under the name that it had at the top level before.
export function earlierName(spec: CommandSpec): CommandSpec {
  return { ...spec, isHidden: true }
}

export interface ArgumentSpec {
  name: string
  about: string
  kind: 'one' | 'optional' | 'many' | 'any' // any: many, or none
  values: 'files' | 'text' | readonly string[]
}

export interface OptionSpec {
  flag: string // "--track"
  letter?: string // "v", for -v
  value?: string // its name in the help; without one the option is a switch
  about: string
  values?: 'files' | readonly string[] // what completion offers; a list is also all that is allowed
  many?: boolean // can be repeated
  excludes?: string[] // camel case names of options that cannot go with it
  needs?: string // camel case name of the option without which it has no effect
}

// "--track name", or "--json" for a switch.
export function option(form: string, about: string, more: Partial<OptionSpec> = {}): OptionSpec {
  const [flag = '', value] = form.split(' ')
  return { flag, value, about, ...more }
}

type Specs<File> = {
  [Name in keyof File as File[Name] extends CommandRun ? Name : never]?: Omit<CommandSpec, 'name' | 'load'>
}

// The commands of one file: each is the function of the same name.
export function commandsIn<File extends object>(file: () => Promise<File>, specs: Specs<File>): CommandSpec[] {
  return Object.entries<Omit<CommandSpec, 'name' | 'load'> | undefined>(specs).flatMap(([name, spec]) =>
    spec ? [{ name, ...spec, load: async () => (await file())[name as keyof File] as CommandRun }] : [],
  )
}

// What a command does with a parsed call; returns the exit code. It is given the whole table too, which it cannot import.
export type CommandRun = (call: Call, commands: readonly CommandSpec[]) => Promise<number>
