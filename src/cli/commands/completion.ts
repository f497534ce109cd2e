import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'
import type { CommandRun } from '../table/types.ts'

const scripts: Record<string, () => string> = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

const completion: CommandRun = async call => {
  call.terminal.out(scripts[call.arguments[0]]())
  return 0
}
export default completion
