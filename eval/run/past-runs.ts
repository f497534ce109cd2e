import { join } from 'node:path'
import { z } from 'zod'
import { listRuns } from '../../src/store/run-folder.ts'
import { BenchRun, readJson } from './run-files.ts'

// What the questions of a finished run took together: part of its summary.json.
export const Spent = z.object({
  questions: z.number(),
  seconds: z.number(),
  calls: z.number(),
  tokens: z.number(),
})
export type Spent = z.infer<typeof Spent>

const recent = 50

// Means of a question over earlier runs of the same models; undefined where there is none.
export async function pastQuestions(
  home: string,
  models: Record<string, string>,
): Promise<{ runs: number; questions: number; seconds: number; calls: number; tokens: number } | undefined> {
  const total = { runs: 0, questions: 0, seconds: 0, calls: 0, tokens: 0 }
  for (const { folder, state } of (await listRuns(home)).slice(0, recent)) {
    if (state !== 'finished') continue
    const run = BenchRun.safeParse(await readJson(join(folder, 'environment.json')))
    if (!run.success || JSON.stringify(run.data.models) !== JSON.stringify(models)) continue
    const summary = z.object({ spent: Spent }).safeParse(await readJson(join(folder, 'summary.json')))
    if (!summary.success || summary.data.spent.questions === 0) continue
    total.runs++
    for (const name of ['questions', 'seconds', 'calls', 'tokens'] as const) total[name] += summary.data.spent[name]
  }
  if (total.questions === 0) return undefined
  const { runs, questions, seconds, calls, tokens } = total
  return { runs, questions, seconds: seconds / questions, calls: calls / questions, tokens: tokens / questions }
}
