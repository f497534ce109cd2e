import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import type { CommandRun } from '../specs/types.ts'

export const completion: CommandRun = async (call, table) => {
  const script = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[call.argument()]
  call.terminal.out(script?.(table) ?? '')
  return 0
}
