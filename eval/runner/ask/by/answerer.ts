import type { BenchParts } from '../../bench-parts.ts'
import type { Agent } from '../agent.ts'
import type { RunContext } from '../run-context.ts'

// Who can be asked the questions of a run.
export interface Answerer {
  check(parts: BenchParts): Promise<void> // throws before anything is spent if it cannot be asked
  open(asking: RunContext, folder: string): Agent // folder: of the run
}
