import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandTable, commonOptions } from './command-table.ts'
import type { CommandSpec } from './table-types.ts'

// A file whose name begins with a dash looks like an option. Where it is there and no option is called so, it is the file.
export function adoptDashFiles(argv: readonly string[], cwd: string): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, at) => {
    const asFile = word.length > 1 && word.startsWith('-') && (end === -1 || at < end) && !isOption(word)
    return asFile && existsSync(join(cwd, word)) ? `./${word}` : word
  })
}

function isOption(word: string): boolean {
  return flags.has(word.split('=')[0])
}

function flagsOf(spec: CommandSpec): string[] {
  return [...(spec.options ?? []).map(option => option.flag), ...(spec.commands ?? []).flatMap(flagsOf)]
}

const flags = new Set([
  '-h',
  '--help',
  '-V',
  '--version',
  '--',
  ...commonOptions.map(option => option.flag),
  ...commandTable.flatMap(flagsOf),
])
