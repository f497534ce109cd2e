import { findMaker } from '../../src/config/families.ts'
import { usageCost } from '../../src/runtime/models/prices.ts'
import { type Agreement, measureAgreement } from '../agree/agreement.ts'
import { type JudgedRun, listItems, verdictsBy } from '../agree/judged-run.ts'
import { gradeReply } from '../benchmarks/grades.ts'
import type { Judgment } from '../data/sample-line.ts'
import type { OpenedJudge } from '../judges/open-judges.ts'
import { type PairedResult, pairedBootstrap } from '../metrics/statistics/bootstrap.ts'
import { mean } from '../metrics/statistics/clusters.ts'
import { ranks, spearman } from '../metrics/statistics/correlation.ts'
import { type SelfConsistency, selfConsistency } from './self-consistency.ts'

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
