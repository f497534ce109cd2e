import { join } from 'node:path'
import { z } from 'zod'
import { readJsonLines } from '../json-lines.ts'
import type { RunFolder } from './run-folder.ts'

// The states of a run, one line a finished step in <run>/states.jsonl. The lists of a state only grow, so a line holds what
// is new of them; the last whole line is where a run that was stopped goes on.
const lists = ['turns', 'steps', 'evidence'] as const

export interface AnyState {
  agent: { turns: unknown[]; steps: unknown[]; evidence: unknown[]; stop?: string }
}

const Line = z.looseObject({
  format: z.literal(1),
  node: z.string(),
  run: z.looseObject({ agent: z.looseObject({ stop: z.string().optional() }) }),
  kept: z.object({ turns: z.number(), steps: z.number(), evidence: z.number() }), // how much of each list stays as it was
  more: z.object({ turns: z.array(z.unknown()), steps: z.array(z.unknown()), evidence: z.array(z.unknown()) }),
})
type Line = z.infer<typeof Line>
type Lists = Line['more']

export interface RunStates {
  keep(node: string, run: AnyState): Promise<void>
}

export async function openStates(folder: RunFolder, last?: AnyState): Promise<RunStates> {
  const rows = await folder.lines('states.jsonl', 'at-flush')
  let before: Lists = listsOf(last)
  return {
    async keep(node, run) {
      const now = listsOf(run)
      const kept = { turns: 0, steps: 0, evidence: 0 }
      const more: Lists = { turns: [], steps: [], evidence: [] }
      for (const name of lists) {
        kept[name] = shared(before[name], now[name])
        more[name] = now[name].slice(kept[name])
      }
      before = now
      const agent = Object.fromEntries(Object.entries(run.agent).filter(([name]) => !lists.some(list => list === name)))
      await rows.append({ format: 1, node, run: { ...run, agent }, kept, more })
    },
  }
}

export interface KeptState {
  node: string
  run: AnyState
}

// The last state from which the run can go on: one that nothing had stopped yet. None where it was stopped before its first.
export async function lastState(folder: string): Promise<KeptState | undefined> {
  let grown: Lists = { turns: [], steps: [], evidence: [] }
  let last: KeptState | undefined
  for (const { node, run, kept, more } of await readJsonLines(join(folder, 'states.jsonl'), Line)) {
    grown = {
      turns: [...grown.turns.slice(0, kept.turns), ...more.turns],
      steps: [...grown.steps.slice(0, kept.steps), ...more.steps],
      evidence: [...grown.evidence.slice(0, kept.evidence), ...more.evidence],
    }
    if (run.agent.stop === undefined) last = { node, run: { ...run, agent: { ...run.agent, ...grown } } }
  }
  return last
}

function listsOf(run: AnyState | undefined): Lists {
  return { turns: run?.agent.turns ?? [], steps: run?.agent.steps ?? [], evidence: run?.agent.evidence ?? [] }
}

function shared(before: readonly unknown[], now: readonly unknown[]): number {
  let count = 0
  while (count < before.length && before[count] === now[count]) count++
  return count
}
