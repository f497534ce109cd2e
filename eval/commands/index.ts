import type { CommandSpec } from '../../src/cli/command.ts'
import { ablateCommand, compareCommand } from './specs/ablate.ts'
import { benchCommand } from './specs/bench.ts'

export const commands: CommandSpec[] = [benchCommand, ablateCommand, compareCommand]
