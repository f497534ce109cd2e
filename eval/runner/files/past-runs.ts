import { join } from 'node:path'
import { z } from 'zod'
import { listRuns } from '../../../src/store/run/run-folder.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import { BenchRun } from './run-files.ts'

// What the questions and judgments of a finished run took together: part of its summary.json.
export const RunCost = z.object({
  questions: z.number(),
  seconds: z.number(),
  calls: z.number(),
  tokens: z.number(),
  inputTokens: z.number().default(0),
  outputTokens: z.number().default(0),
  money: z.number().default(0), // of the answers
  judgments: z.number().default(0), // calls of a judge model
  judgeInputTokens: z.number().default(0),
  judgeOutputTokens: z.number().default(0),
})
export type RunCost = z.infer<typeof RunCost>

// Means over runs: of a question, and of a judgment if there were any.
export interface Past {
  runs: number
  questions: number
  seconds: number
  calls: number
  tokens: number
  inputTokens: number
  outputTokens: number
  judgment?: Record<'inputTokens' | 'outputTokens', number>
}

const recent = 50

// Over earlier runs of the same models; undefined if there is none.
export async function pastQuestions(home: string, models: Record<string, string>): Promise<Past | undefined> {
  const total = RunCost.parse({ questions: 0, seconds: 0, calls: 0, tokens: 0 })
  let runs = 0
  const finished = (await listRuns(home)).slice(0, recent).filter(({ state }) => state === 'finished')
  // The base of a study is a run like any other.
  for (const folder of finished.flatMap(run => [run.folder, join(run.folder, 'rows', 'base')])) {
    const run = BenchRun.safeParse(await readJsonFile(join(folder, 'environment.json')))
    if (!run.success || JSON.stringify(run.data.models) !== JSON.stringify(models)) continue
    const summary = z.object({ spent: RunCost }).safeParse(await readJsonFile(join(folder, 'summary.json')))
    if (!summary.success || summary.data.spent.questions === 0) continue
    runs++
    for (const name of Object.keys(total) as (keyof RunCost)[]) total[name] += summary.data.spent[name]
  }
  const { questions, judgments } = total
  if (questions === 0) return undefined
  const each = (name: keyof RunCost) => total[name] / questions
  return {
    runs,
    questions,
    seconds: each('seconds'),
    calls: each('calls'),
    tokens: each('tokens'),
    inputTokens: each('inputTokens'),
    outputTokens: each('outputTokens'),
    ...(judgments > 0 && {
      judgment: {
        inputTokens: total.judgeInputTokens / judgments,
        outputTokens: total.judgeOutputTokens / judgments,
      },
    }),
  }
}
