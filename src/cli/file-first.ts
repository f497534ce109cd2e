import { resolve } from 'node:path'
import { isAddress } from '../core/basics/address.ts'
import { isThere } from './accept-dash-filenames.ts'
import type { CommandSpec } from './command.ts'
import { commonOptions } from './options.ts'

// What is a path or has the ending of a media file, whether or not it is there.
export const fileLike =
  /^\S*[/\\]\S*$|\.(mp4|m4v|mkv|webm|mov|avi|ts|mts|mpe?g|flv|wmv|3gp|ogv|mp3|m4a|wav|flac|ogg|opus|aac)$/i

// "longtake talk.mp4" is a conversation about the video, and "longtake talk.mp4 QUESTION" one question. A command of that name goes first.
export function addCommandName(argv: readonly string[], cwd: string, commands: readonly CommandSpec[]): string[] {
  const at = firstWord(argv)
  const word = argv[at]
  if (word === undefined || word === 'help' || commands.some(({ name }) => name === word)) return [...argv]
  if (!isAddress(word) && !fileLike.test(word) && !isThere(resolve(cwd, word))) return [...argv]
  const next = argv[at + 1]
  const command = next === undefined || next.startsWith('-') ? 'chat' : 'ask'
  return [...argv.slice(0, at), command, ...argv.slice(at)]
}

function firstWord(argv: readonly string[]): number {
  const takesValue = new Set(commonOptions.filter(({ value }) => value !== undefined).map(({ flag }) => flag))
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word === '--') return argv.length
    if (!word.startsWith('-')) return at
    if (takesValue.has(word)) at++
  }
  return argv.length
}
