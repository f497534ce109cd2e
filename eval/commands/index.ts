import { type CommandSpec, earlierName } from '../../src/cli/command.ts'
import { ablateCommand, compareCommand } from './specs/ablate.ts'
import { benchCommand } from './specs/bench.ts'

export const commands: CommandSpec[] = [benchCommand, earlierName(ablateCommand), earlierName(compareCommand)]
