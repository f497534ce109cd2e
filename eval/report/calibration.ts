import type { SampleLine } from '../data/sample-line.ts'

// Does a confidence of 0.8 mean right eight times in ten?
export interface CalibrationBins {
  task: string
  n: number
  bins: { from: number; to: number; n: number; confidence: number; score: number }[] // without the empty ones
  error: number // mean gap between confidence and score, weighted by how many answers are in the bin
  brier: number // mean squared gap of each answer
}

const width = 0.1

export function calibration(lines: readonly SampleLine[], task: string): CalibrationBins | undefined {
  const answers = lines.flatMap(line => {
    const score = line.grades[task]?.score
    const answer = line.asks.find(ask => ask.tasks.includes(task))?.answer
    return answer && score !== undefined && score !== null
      ? [{ confidence: answer.confidence, score: Math.max(0, score) }]
      : []
  })
  if (answers.length === 0) return undefined
  const bins = Array.from({ length: 1 / width }, (_, i) => {
    const inside = answers.filter(({ confidence }) => Math.min(9, Math.floor(confidence / width + 1e-9)) === i)
    return {
      from: Number((i * width).toFixed(1)),
      to: Number(((i + 1) * width).toFixed(1)),
      n: inside.length,
      confidence: average(inside.map(item => item.confidence)),
      score: average(inside.map(item => item.score)),
    }
  }).filter(bin => bin.n > 0)
  return {
    task,
    n: answers.length,
    bins,
    error: bins.reduce((sum, bin) => sum + (bin.n / answers.length) * Math.abs(bin.confidence - bin.score), 0),
    brier: average(answers.map(({ confidence, score }) => (confidence - score) ** 2)),
  }
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
