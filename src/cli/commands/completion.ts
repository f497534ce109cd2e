import type { CommandRun } from '../command.ts'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'

export const completion: CommandRun = async (call, table) => {
  const script = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[call.argument()]
  call.terminal.out(script?.(table) ?? '')
  return 0
}
