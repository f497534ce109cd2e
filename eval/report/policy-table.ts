import type { ReportTable } from '../data/report-table.ts'
import type { AskRecord, SampleLine } from '../data/sample-line.ts'

// What a policy did in the questions of a run. What it changed can only be seen without it: its row of an ablation.
interface PolicyActs {
  policy: string
  asked: number // questions in which it made calls
  calls: number
  found: number // of these, so many found rows
  decisive: number // answers that cite a row which only its calls found
}

export function countPolicyActs(lines: readonly SampleLine[]): PolicyActs[] {
  const acts = new Map<string, PolicyActs>()
  for (const { steps, evidence } of lines.flatMap(line => line.asks)) {
    const ofPlanner = new Set(steps.flatMap(step => (step.by === undefined ? step.evidence : [])))
    const cited = evidence.filter(row => row.cited && !ofPlanner.has(row.id)).map(row => row.id)
    for (const policy of new Set(steps.flatMap(step => step.by ?? []))) {
      const own: AskRecord['steps'] = steps.filter(step => step.by === policy)
      const { asked, calls, found, decisive } = acts.get(policy) ?? { asked: 0, calls: 0, found: 0, decisive: 0 }
      acts.set(policy, {
        policy,
        asked: asked + 1,
        calls: calls + own.length,
        found: found + own.filter(step => step.outcome === 'found').length,
        decisive: decisive + Number(own.some(step => step.evidence.some(id => cited.includes(id)))),
      })
    }
  }
  return [...acts.values()].sort((a, b) => b.calls - a.calls)
}

// Of one run or several, named where they are several.
export function policyTable(runs: readonly { name?: string; lines: readonly SampleLine[] }[]): ReportTable {
  const isNamed = runs.some(({ name }) => name !== undefined)
  return {
    title: 'What the policies did',
    columns: [...(isNamed ? ['run'] : []), 'policy', 'questions', 'calls', 'found rows', 'answers that rest on them'],
    rows: runs.flatMap(({ name, lines }) =>
      countPolicyActs(lines).map(({ policy, asked, calls, found, decisive }) => [
        ...(isNamed ? [name ?? ''] : []),
        policy,
        ...[asked, calls, found, decisive].map(String),
      ]),
    ),
    notes: [
      'Calls that the code made beside the planner. An answer rests on them if it cites a row that no call of the planner found. How often a policy changed an answer is its row of "bench ablate --without policies".',
    ],
  }
}
