import type { CommandSpec } from '../../src/cli/command.ts'
import { ablateCommand, compareCommand } from './ablate-spec.ts'
import { benchCommand } from './bench-spec.ts'

export const commands: CommandSpec[] = [benchCommand, ablateCommand, compareCommand]
