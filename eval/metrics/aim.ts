import { mergeSpans, spanLength } from '../../src/core/time.ts'
import type { AskRecord, SampleLine } from '../data/sample-line.ts'
import { isAt } from './attribution.ts'
import { type Accuracy, computeAccuracy } from './statistics/accuracy.ts'
import { mean } from './statistics/clusters.ts'

// Did the evidence of the answers lie where the answer is, and what came of it? It tells what the index and the search lose from
// what the model loses. Questions with a known place only.
export interface Aim {
  task: string
  n: number
  hits: number // a cited row lies at one of the known places, within a second
  width: number | null // seconds of video that an answer cites, the median of those that cite any
  landed: Accuracy | null // strict scores of the hits, per cent
  missed: Accuracy | null // and of all others
  tokens: number // of a question, mean
  frames: number
}

// Of every task that asks for an answer: where an answer lies is what is measured here.
export function measureAims(lines: readonly SampleLine[], tasks: readonly string[]): Aim[] {
  return tasks.filter(task => task !== 'miou').flatMap(task => aim(lines, task) ?? [])
}

function aim(lines: readonly SampleLine[], task: string): Aim | undefined {
  const aimed = lines.flatMap(line => {
    const ask = line.asks.find(one => one.tasks.includes(task))
    return ask?.error === undefined ? (measureAim(line, ask, task) ?? []) : []
  })
  if (aimed.length === 0) return undefined
  const hits = aimed.filter(one => one.isHit)
  return {
    task,
    n: aimed.length,
    hits: hits.length,
    width: median(aimed.flatMap(({ width }) => width ?? [])),
    landed: computeAccuracy(hits),
    missed: computeAccuracy(aimed.filter(one => !one.isHit)),
    tokens: mean(aimed.map(one => one.tokens)),
    frames: mean(aimed.map(one => one.frames)),
  }
}

function measureAim({ clues = [], video, grades }: SampleLine, ask: AskRecord | undefined, task: string) {
  const grade = grades[task]
  if (!ask || !grade || clues.length === 0) return undefined
  const cited = ask.evidence.filter(row => row.cited)
  const seconds = mergeSpans(cited.map(row => row.span)).reduce((sum, span) => sum + spanLength(span), 0)
  return {
    cluster: video,
    score: Math.max(0, grade.score ?? 0), // as in the rows of tasks: what was not judged is 0
    isHit: cited.some(row => isAt(row, clues)),
    width: cited.length > 0 ? seconds : undefined,
    tokens: ask.usage.inputTokens + ask.usage.outputTokens,
    frames: ask.usage.frames,
  }
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
