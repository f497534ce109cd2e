import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { CommandSpec } from './command.ts'
import { commonOptions } from './options.ts'

// A word that names an existing file is that file, whatever it begins with: `longtake index *.mp4` passes every name in the
// folder, and a file name must not act as an option. If the word is also an option, the command stops.
export function adoptDashFiles(argv: readonly string[], cwd: string, commands: readonly CommandSpec[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, at) => {
    if (!/^-./.test(word) || (end !== -1 && at >= end) || !isThere(resolve(cwd, word))) return word
    if (!isOption(word, commands)) return `./${word}`
    throw new UsageError(`"${word}" is an option, and there is a file of that name here.`, {
      hint: `For the file, write "./${word}" or put -- before the files; for the option, rename the file or work in another folder.`,
    })
  })
}

// A dangling link counts too: its name can be chosen just as freely.
export function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

function isOption(word: string, commands: readonly CommandSpec[]): boolean {
  const flags = [...ownFlags, ...commands.flatMap(listOptionFlags)]
  return flags.includes(word.replace(/=.*/s, ''))
}

function listOptionFlags(spec: CommandSpec): string[] {
  return [...(spec.options ?? []).map(option => option.flag), ...(spec.commands ?? []).flatMap(listOptionFlags)]
}

const ownFlags = ['-h', '--help', '-V', '--version', '-v', ...commonOptions.map(option => option.flag)]
