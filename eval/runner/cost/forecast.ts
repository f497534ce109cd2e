import { groupBy } from '../../../src/core/basics/group-by.ts'
import type { Price } from '../../../src/core/chat.ts'
import type { Benchmark } from '../../benchmarks/benchmark.ts'
import type { AskedBy } from '../../data/asked-by.ts'
import type { Sample } from '../../data/sample.ts'
import type { JudgeService } from '../../judges/judge-service.ts'
import { buildAsks } from '../ask/asks-of-sample.ts'
import type { Past } from '../files/past-runs.ts'
import { isAskable, type Preflight } from '../preflight.ts'
import { estimate, stageSeconds, type TokenUse } from './estimate.ts'
import type { ShownCost } from './shown-cost.ts'

// What a run would take. What was never measured on this machine is left out, not guessed.
export interface Forecast {
  videos: number
  hours: number
  questions: number // to the agent: a sample may be asked in more than one way
  judgments: number // calls of the judge, at least
  stages: { stage: string; videos: number; hours: number; seconds?: number }[] // of indexing, that are missing
  indexSeconds?: number
  askSeconds?: number
  modelCalls?: number
  tokens?: number
  shown?: ShownCost // to a model alone
  money?: number // at most, where prices are set: all tokens at the dearest price of those who are asked
  ceiling?: { tokens: number; frames: number } // of all questions by their budgets, whatever the agent does
  more?: ForecastPart[] // what a language model is asked beside, where it is the agent's
  from: string // what the seconds and calls go by
}

// A part of the agent that asks models more; `calls` at most, of all questions.
interface ForecastPart {
  part: 'votes' | 'focus'
  calls?: number // undefined if only the budget bounds it, or nothing was measured
  what: string
}

export interface ForecastWork extends AskingCost {
  benchmark: Benchmark
  samples: readonly Sample[]
  unjudged?: ReadonlySet<string> // ids of those that are answered and wait only for the judge
  tasks: ReadonlySet<string>
  by: AskedBy
  checked: Preflight
  judge?: JudgeService
  missingStages(path: string): Promise<{ stage: string; secondsPerHour?: number }[]>
  concurrency: number
}

// What is known of the price of a question.
interface AskingCost {
  shown?: ShownCost // where a model alone is asked
  past?: Past // undefined if these models were never asked here
  prices?: { asking: Price[]; judging?: Price } // of a million tokens
  budget?: { steps: number; tokens: number; frames: number } // of one question, where it is held
  parts?: readonly ForecastPart['part'][] // that are on, with a language model to fill them
}

export async function forecast(work: ForecastWork): Promise<Forecast> {
  const { checked, samples, judge, past, shown } = work
  const videoIds = new Set(samples.map(({ video }) => video))
  const usable = checked.videos.filter(check => isAskable(check) && videoIds.has(check.video))
  const names = new Set(usable.map(check => check.video))
  const askable = samples.filter(sample => names.has(sample.video))
  const unasked = askable.filter(({ id }) => !work.unjudged?.has(id))
  const questions = unasked.reduce(
    (sum, sample) => sum + buildAsks(work.benchmark, sample, work.tasks, work.by).length,
    0,
  )
  const judged = judge ? askable.filter(sample => judge.protocol.judges(sample)) : []
  const stages = work.by === 'alone' ? [] : await missing(work, usable)
  const measured = stages.every(stage => stage.seconds !== undefined)
  const judgments =
    judge && judge.name !== 'words' && work.tasks.has(judge.protocol.task)
      ? sum(judged.map(sample => judge.protocol.calls?.(sample) ?? 1))
      : 0
  const money = estimateMoney(work, questions, judgments)
  return {
    videos: usable.length,
    hours: sum(usable.map(check => (check.duration ?? 0) / 3600)),
    questions,
    judgments,
    stages,
    ...(measured && { indexSeconds: sum(stages.map(stage => stage.seconds ?? 0)) }),
    ...(past && {
      askSeconds: (past.seconds * questions) / work.concurrency,
      modelCalls: Math.round(past.calls * questions),
      tokens: Math.round(shown ? shown.tokens + past.outputTokens * questions : past.tokens * questions),
    }),
    ...(shown && { shown }),
    ...(money !== undefined && { money }),
    ...(work.budget && { ceiling: { tokens: work.budget.tokens * questions, frames: work.budget.frames * questions } }),
    ...(work.parts && work.parts.length > 0 && { more: work.parts.map(part => forecastPart(part, questions, work)) }),
    from: past
      ? `${past.questions} questions of ${past.runs} earlier runs with the same models`
      : 'no earlier run with the same models, so what the questions take is not known; a run with --limit 5 tells',
  }
}

function forecastPart(part: ForecastPart['part'], questions: number, { past }: ForecastWork): ForecastPart {
  if (part === 'focus')
    return { part, what: 'helpers, each within a third of what is left of the budget of its question' }
  const calls = past && { calls: Math.round(2 * past.calls * questions) }
  return { part, ...calls, what: 'two more runs for each answer that is unsure, within its budget' }
}

function estimateMoney(
  { past, prices, shown }: ForecastWork,
  questions: number,
  judgments: number,
): number | undefined {
  if (!past || !prices || (prices.asking.length === 0 && !prices.judging)) return undefined
  const cost = (calls: number, use: TokenUse, price: Price) => estimate(calls, use, [price]).money ?? 0
  const questionCost = shown ? { ...past, inputTokens: shown.tokens / Math.max(1, questions) } : past
  const asking = Math.max(0, ...prices.asking.map(price => cost(questions, questionCost, price)))
  if (!prices.judging || judgments === 0) return asking
  return past.judgment && asking + cost(judgments, past.judgment, prices.judging)
}

async function missing(work: ForecastWork, videos: Preflight['videos']): Promise<Forecast['stages']> {
  const perVideo: { stage: string; hours: number; secondsPerHour?: number }[] = []
  for (const { path, duration = 0 } of videos)
    for (const missingStage of path ? await work.missingStages(path) : [])
      perVideo.push({ ...missingStage, hours: duration / 3600 })
  return [...groupBy(perVideo, ({ stage }) => stage)].map(([stage, ofStage]) => ({
    stage,
    videos: ofStage.length,
    hours: sum(ofStage.map(({ hours }) => hours)),
    seconds: stageSeconds(ofStage),
  }))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
