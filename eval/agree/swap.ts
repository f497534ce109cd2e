import { findMaker } from '../../src/config/families.ts'
import { usageCost } from '../../src/runtime/models/prices.ts'
import { gradeReply } from '../benchmarks/grades.ts'
import type { Judgment } from '../data/sample-line.ts'
import type { OpenedJudge } from '../judges/open-judges.ts'
import { type PairedResult, pairedBootstrap, quantile } from '../metrics/statistics/bootstrap.ts'
import { mean } from '../metrics/statistics/clusters.ts'
import { ranks, spearman } from '../metrics/statistics/correlation.ts'
import { type Agreement, measureAgreement } from './agreement.ts'
import { type JudgedRun, listItems, verdictsBy } from './judged-run.ts'

// What several judges make of the same answers.

type Families = Record<string, string[]>

export interface Swap {
  judges: string[]
  runs: {
    run: string
    model: string
    scores: (number | null)[]
    unjudged: number[]
    difference: (PairedResult | null)[]
  }[] // against the first judge
  orders: { judges: [string, string]; correlation: number | null; largestChange: number; run?: string }[]
  agreements: Agreement[]
  ownFamily: { judge: string; family: string; residual: number | null; why?: string }[]
  cost: { judge: string; verdicts: number; calls: number; tokens: number; seconds: number; money?: number }[]
  repeats: ({ judge: string } & SelfConsistency)[]
}

export interface JudgedRuns {
  judge: OpenedJudge
  times: Map<JudgedRun, Map<string, Judgment>>[] // by repeat
}

export function compareSwap(runs: readonly JudgedRun[], judged: readonly JudgedRuns[], families: Families): Swap {
  const judges = judged.map(({ judge }) => judge.service.name)
  const scored = judged.map(({ times: [first] }) => runs.map(run => scoreSamples(run, first?.get(run))))
  const means = scored.map(of => of.map(scores => (scores.size === 0 ? null : 100 * mean([...scores.values()]))))
  const items = runs.flatMap(listItems)
  const raters = judged.map(({ judge, times: [first] }) => ({
    name: judge.service.name,
    kind: 'judge' as const,
    verdicts: verdictsBy(items, item => first?.get(item.run)?.get(item.answer.sample.id)),
  }))
  const rated = items.map(item => ({ key: item.key, scale: item.scale, video: item.answer.sample.video }))
  return {
    judges,
    runs: runs.map((run, at) => ({
      run: run.name,
      model: run.model,
      scores: means.map(of => of[at] ?? null),
      unjudged: judged.map(({ times }) => countUnjudged(run, times)),
      difference: scored.map((of, place) => (place === 0 ? null : compareScores(run, scored[0]?.[at], of[at]))),
    })),
    orders: judges.flatMap((a, i) =>
      judges.slice(i + 1).map((b, j) => compareOrder([a, b], runs, means[i], means[i + 1 + j])),
    ),
    agreements: measureAgreement(rated, raters),
    ownFamily: judges.map((judge, at) => ({ judge, ...residual(judge, at, runs, means, families) })),
    cost: judged.map(costOfJudge),
    repeats: judged.flatMap(({ judge, times }) =>
      times.length < 2 ? [] : [{ judge: judge.service.name, ...selfConsistency(times.map(said => flat(runs, said))) }],
    ),
  }
}

// Answers that lack a verdict, in any of the repeats.
function countUnjudged(run: JudgedRun, times: JudgedRuns['times']): number {
  return run.answers.filter(({ sample }) => times.some(said => !isJudged(said.get(run)?.get(sample.id)))).length
}

function isJudged(judgment: Judgment | undefined): boolean {
  return judgment !== undefined && Object.keys(judgment.failed).length === 0
}

type Scores = Map<string, number>

// What each answer earns under a judge, strictly; one without a verdict is left out.
function scoreSamples(run: JudgedRun, said: Map<string, Judgment> | undefined): Scores {
  const { benchmark, answers } = run
  return new Map(
    answers.flatMap(({ sample, reply }) => {
      const judgment = said?.get(sample.id)
      if (!judgment) return []
      const { score } = gradeReply(benchmark, sample, benchmark.judge.task, { reply, judge: judgment.replies })
      return score === null ? [] : [[sample.id, score] as const]
    }),
  )
}

function flat(runs: readonly JudgedRun[], said: Map<JudgedRun, Map<string, Judgment>>): Scores {
  return new Map(
    runs.flatMap(run =>
      [...scoreSamples(run, said.get(run))].map(([id, score]) => [`${run.folder}\n${id}`, score] as const),
    ),
  )
}

function compareScores(run: JudgedRun, first: Scores | undefined, second: Scores | undefined): PairedResult | null {
  return pairedBootstrap(
    run.answers.flatMap(({ sample }) => {
      const [a, b] = [first?.get(sample.id), second?.get(sample.id)]
      return a === undefined || b === undefined ? [] : [{ a: 100 * a, b: 100 * b, cluster: sample.video }]
    }),
  )
}

function compareOrder(
  pair: [string, string],
  runs: readonly JudgedRun[],
  first: (number | null)[] = [],
  second: (number | null)[] = [],
): Swap['orders'][number] {
  const both = runs.flatMap((run, i) => {
    const [a, b] = [first[i] ?? null, second[i] ?? null]
    return a === null || b === null ? [] : [{ run: run.name, a, b }]
  })
  const [a, b] = [ranks(both.map(one => one.a)), ranks(both.map(one => one.b))]
  const changes = a.map((rank, i) => Math.abs(rank - (b[i] ?? 0)))
  const largestChange = Math.max(0, ...changes)
  const run = largestChange > 0 ? both[changes.indexOf(largestChange)]?.run : undefined
  return {
    judges: pair,
    correlation: spearman(
      both.map(one => one.a),
      both.map(one => one.b),
    ),
    largestChange,
    ...(run && { run }),
  }
}

// How much more a judge gives its own maker's runs than the other judges do, less how much more it gives the others' runs.
function residual(
  judge: string,
  at: number,
  runs: readonly JudgedRun[],
  means: (number | null)[][],
  families: Families,
): { family: string; residual: number | null; why?: string } {
  const family = findMaker(judge, families)
  if (family === undefined) return { family: '-', residual: null, why: 'its maker is not in judging.families' }
  const excess = (isOwn: boolean) =>
    runs.flatMap((run, i) => {
      const ownMean = means[at]?.[i]
      const otherMeans = means.flatMap((of, place) => (place === at ? [] : (of[i] ?? [])))
      const fits = (findMaker(run.model, families) === family) === isOwn
      return fits && ownMean !== null && ownMean !== undefined && otherMeans.length > 0
        ? [ownMean - mean(otherMeans)]
        : []
    })
  const [ours, theirs] = [excess(true), excess(false)]
  if (ours.length === 0 || theirs.length === 0)
    return { family, residual: null, why: `needs runs of ${family} and of others, and a second judge` }
  return { family, residual: mean(ours) - mean(theirs) }
}

function costOfJudge({ judge, times }: JudgedRuns): Swap['cost'][number] {
  const allJudgments = times.flatMap(time => [...time.values()].flatMap(of => [...of.values()]))
  const sum = (of: (judgment: Judgment) => number) => allJudgments.reduce((total, judgment) => total + of(judgment), 0)
  const usage = {
    inputTokens: sum(one => one.usage?.inputTokens ?? 0),
    outputTokens: sum(one => one.usage?.outputTokens ?? 0),
  }
  return {
    judge: judge.service.name,
    verdicts: allJudgments.length,
    calls: sum(one => one.usage?.calls ?? 0),
    tokens: usage.inputTokens + usage.outputTokens,
    seconds: sum(one => one.seconds),
    ...(judge.price && { money: usageCost(usage, judge.price) }),
  }
}

interface SelfConsistency {
  repeats: number
  items: number // that were judged each time
  unanimous: number | null // share of items with one verdict throughout
  flips: number | null // changes from one repeat to the next, for each item
  deviation: number | null // standard deviation of the whole score over the repeats, points of 100
  quartiles: number[] | null // of the whole score: least, 25 %, 50 %, 75 %, greatest
}

// One judge asked several times, each time anew: how far it agrees with itself.
export function selfConsistency(times: readonly ReadonlyMap<string, number>[]): SelfConsistency {
  const [first] = times
  const keys = [...(first?.keys() ?? [])].filter(key => times.every(time => time.has(key)))
  const repeats = times.length
  if (keys.length === 0) return { repeats, items: 0, unanimous: null, flips: null, deviation: null, quartiles: null }
  const rows = keys.map(key => times.map(time => time.get(key) ?? 0))
  const flips = rows.map(row => row.slice(1).filter((score, i) => score !== row[i]).length)
  const scores = times.map(time => 100 * mean(keys.map(key => time.get(key) ?? 0))).sort((a, b) => a - b)
  const centre = mean(scores)
  return {
    repeats,
    items: keys.length,
    unanimous: flips.filter(count => count === 0).length / keys.length,
    flips: mean(flips),
    deviation:
      repeats < 2 ? null : Math.sqrt(scores.reduce((sum, score) => sum + (score - centre) ** 2, 0) / (repeats - 1)),
    quartiles: [0, 0.25, 0.5, 0.75, 1].map(share => quantile(scores, share)),
  }
}
