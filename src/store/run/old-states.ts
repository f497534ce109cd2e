import { join } from 'node:path'
import { z } from 'zod'
import { readJsonLines } from '../json-lines.ts'
import { checkSpent } from './check-spent.ts'

// The states of a run of an older version, one line a finished step in <run>/states.jsonl. A line holds what is new of the lists.
const lists = z.object({ turns: z.array(z.unknown()), steps: z.array(z.unknown()), evidence: z.array(z.unknown()) })
const Line = z.looseObject({
  format: z.literal(1),
  run: z.looseObject({ agent: z.looseObject({ stop: z.string().optional() }) }),
  kept: z.object({ turns: z.number(), steps: z.number(), evidence: z.number() }), // how much of each list stays as it was
  more: lists,
})

// The last state from which the run can go on: one that nothing had stopped yet. None where it was stopped before its first.
export async function lastOldState(folder: string): Promise<unknown> {
  let grown: z.infer<typeof lists> = { turns: [], steps: [], evidence: [] }
  let last: unknown
  for (const { run, kept, more } of await readJsonLines(join(folder, 'states.jsonl'), Line)) {
    grown = {
      turns: [...grown.turns.slice(0, kept.turns), ...more.turns],
      steps: [...grown.steps.slice(0, kept.steps), ...more.steps],
      evidence: [...grown.evidence.slice(0, kept.evidence), ...more.evidence],
    }
    checkSpent(run, join(folder, 'states.jsonl'))
    checkSpent(run.agent, join(folder, 'states.jsonl'))
    if (run.agent.stop === undefined) last = { ...run, agent: { ...run.agent, ...grown } }
  }
  return last
}
