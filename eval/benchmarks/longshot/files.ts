import { modelName } from '../released-files.ts'

// Where the released tools keep a model's results, below their output folder.
export interface ResultPaths {
  answers: string
  timing: string
  judged: string
  scoreText: string
  scoreJson: string
  judgeTiming: string
}

export function resultPaths(output: string, model: string, judge: string | undefined, tag?: string): ResultPaths {
  const name = modelName(model)
  const stem = `${output}/${name}/${name}`
  const judged = `${output}/${name}/judges/${judgeTag(tag, judge)}/${name}`
  return {
    answers: `${stem}.jsonl`,
    timing: `${stem}_timing.json`,
    judged: `${judged}_eval.jsonl`,
    scoreText: `${judged}_score.txt`,
    scoreJson: `${judged}_score.json`,
    judgeTiming: `${judged}_timing.json`,
  }
}

export function judgeTag(tag: string | undefined, judge: string | undefined): string {
  const raw = tag || (judge ? modelName(judge) : 'default')
  return (
    raw
      .replace(/[^a-zA-Z0-9]+/g, '_')
      .replace(/^_+|(?<!_)_+$/g, '')
      .toLowerCase() || 'default'
  )
}

export interface Timing {
  cumulative: Record<string, number>
  runs: Record<string, unknown>[]
}

// Adds a run: its numbers are summed, a true counts 1, words are only kept with the run.
export function addRun(timing: Timing | undefined, run: Record<string, unknown>, time: string): Timing {
  const cumulative = { ...timing?.cumulative }
  for (const [name, value] of Object.entries(run))
    if (typeof value === 'number' || typeof value === 'boolean')
      cumulative[name] = (cumulative[name] ?? 0) + Number(value)
  return { cumulative, runs: [...(timing?.runs ?? []), { ...run, run_timestamp: time }] }
}
