import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import type { CommandRun, CommandSpec } from '../table/types.ts'

const scripts: Record<string, (table: readonly CommandSpec[]) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

const completion: CommandRun = async (call, table) => {
  call.terminal.out(scripts[call.arguments[0]](table))
  return 0
}
export default completion
