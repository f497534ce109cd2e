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

// The last part of a model's path with everything but letters and digits as underscores.
export function modelName(model: string): string {
  const parts = model.split('/')
  const last = parts.at(-1)?.trim() === '' ? parts.at(-2) : parts.at(-1)
  return (last ?? '').replace(/[^a-zA-Z0-9]/g, '_')
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

// A model with "video-agent" in its name is spoken to as an agent: plain text, and the video by its id.
export function isVideoAgent(model: string): boolean {
  return model.toLowerCase().includes('video-agent')
}

// The agent's own name: what follows "video-agent-" or "video-agent:".
export function agentName(model: string): string | undefined {
  if (!isVideoAgent(model)) return undefined
  for (const mark of ['-video-agent-', 'video-agent-', 'video-agent:']) {
    const at = model.toLowerCase().indexOf(mark)
    if (at >= 0) return model.slice(at + mark.length).trim()
  }
  return undefined
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
