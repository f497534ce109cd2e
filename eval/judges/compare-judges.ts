import { costOf } from '../../src/app/ask/prices.ts'
import { secretsOf } from '../../src/app/ask/recorded-run.ts'
import { redactor } from '../../src/store/redact.ts'
import { loadRuns } from '../agree/agree-runs.ts'
import { type Agreement, agreementOf } from '../agree/agreement.ts'
import { itemsOf, type JudgedRun, verdictsBy } from '../agree/judged-run.ts'
import { ranks, spearman } from '../agree/statistics/correlation.ts'
import type { BenchWorld } from '../bench/bench-request.ts'
import { keptGrade } from '../benchmarks/grades.ts'
import { type PairedResult, pairedBootstrap } from '../metrics/statistics/bootstrap.ts'
import { mean } from '../metrics/statistics/clusters.ts'
import type { Judgment } from '../runner/sample-line.ts'
import { familyOf } from './families.ts'
import { judgeAgain, toAsk } from './judge-again.ts'
import { type JudgeWishes, type OpenedJudge, withJudges } from './open-judges.ts'
import { type SelfConsistency, selfConsistency } from './self-consistency.ts'

export interface SwapWork extends JudgeWishes {
  folders: readonly string[]
  repeat: number
  families: Record<string, string[]>
  onJudged(done: number): void
}

export interface JudgeForecast {
  judge: string
  verdicts: number // still to be asked for
  calls: number // at least
  tokens?: number // by what this judge took for such a call before; undefined where nothing is known
  money?: number
}

export interface Swap {
  judges: string[]
  runs: { run: string; model: string; scores: (number | null)[]; difference: (PairedResult | null)[] }[] // against the first judge
  orders: { judges: [string, string]; correlation: number | null; largestChange: number; run?: string }[]
  agreements: Agreement[]
  ownFamily: { judge: string; family: string; residual: number | null; why?: string }[]
  cost: { judge: string; verdicts: number; calls: number; tokens: number; seconds: number; money?: number }[]
  repeats: ({ judge: string } & SelfConsistency)[]
}

interface Judged {
  judge: OpenedJudge
  times: Map<JudgedRun, Map<string, Judgment>>[] // by repeat
}

// What judging these runs would take.
export async function forecastJudges(work: Omit<SwapWork, 'onJudged'>, world: BenchWorld): Promise<JudgeForecast[]> {
  const runs = await loadRuns(work.folders)
  const known = runs.flatMap(run => run.answers).flatMap(answer => answer.judgment?.usage ?? [])
  const calls = known.reduce((sum, usage) => sum + usage.calls, 0)
  const perCall = (name: 'inputTokens' | 'outputTokens') => known.reduce((sum, usage) => sum + usage[name], 0) / calls
  return withJudges(runs[0]!.benchmark, work, world, async judges => {
    const rows: JudgeForecast[] = []
    for (const judge of judges) {
      let [verdicts, asked] = [0, 0]
      for (const run of runs)
        for (let repeat = 1; repeat <= work.repeat; repeat++) {
          const answers = await toAsk({ run, judge, repeat })
          verdicts += answers.length
          asked += answers.reduce((sum, { sample }) => sum + (run.benchmark.judge.calls?.(sample) ?? 1), 0)
        }
      const isFree = judge.service.name === 'words'
      const usage = { inputTokens: asked * perCall('inputTokens'), outputTokens: asked * perCall('outputTokens') }
      const tokens = usage.inputTokens + usage.outputTokens
      rows.push({
        ...{ judge: judge.service.name, verdicts, calls: isFree ? 0 : asked },
        ...(!isFree && calls > 0 && { tokens: Math.round(tokens) }),
        ...(!isFree && calls > 0 && judge.price && { money: costOf(usage, judge.price) }),
      })
    }
    return rows
  })
}

// The same answers under several judges: does the order of the runs hang on who judges?
export async function compareJudges(work: SwapWork, world: BenchWorld): Promise<Swap> {
  const runs = await loadRuns(work.folders)
  const redact = redactor(secretsOf(world.environment))
  return withJudges(runs[0]!.benchmark, work, world, async judges => {
    const all: Judged[] = []
    let done = 0
    for (const judge of judges) {
      const times: Judged['times'] = []
      for (let repeat = 1; repeat <= work.repeat; repeat++) {
        const said = new Map<JudgedRun, Map<string, Judgment>>()
        const onJudged = () => work.onJudged(++done)
        for (const run of runs)
          said.set(run, await judgeAgain({ run, judge, repeat, redact, signal: world.signal, onJudged }))
        times.push(said)
      }
      all.push({ judge, times })
    }
    return swapOf(runs, all, work.families)
  })
}

export function swapOf(runs: readonly JudgedRun[], judged: readonly Judged[], families: SwapWork['families']): Swap {
  const judges = judged.map(({ judge }) => judge.service.name)
  const scored = judged.map(({ times: [first] }) => runs.map(run => scoresOf(run, first?.get(run))))
  const means = scored.map(of => of.map(scores => (scores.size === 0 ? null : 100 * mean([...scores.values()]))))
  const items = runs.flatMap(itemsOf)
  const raters = judged.map(({ judge, times: [first] }) => ({
    name: judge.service.name,
    kind: 'judge' as const,
    verdicts: verdictsBy(items, item => first?.get(item.run)?.get(item.answer.sample.id)),
  }))
  const rated = items.map(item => ({ key: item.key, scale: item.scale, video: item.answer.sample.video }))
  return {
    judges,
    runs: runs.map((run, at) => ({
      ...{ run: run.name, model: run.model, scores: means.map(of => of[at] ?? null) },
      difference: scored.map((of, place) => (place === 0 ? null : differenceOf(run, scored[0]?.[at], of[at]))),
    })),
    orders: judges.flatMap((a, i) =>
      judges.slice(i + 1).map((b, j) => orderOf([a, b], runs, means[i], means[i + 1 + j])),
    ),
    agreements: agreementOf(rated, raters),
    ownFamily: judges.map((judge, at) => ({ judge, ...residual(judge, at, runs, means, families) })),
    cost: judged.map(costOfJudge),
    repeats: judged.flatMap(({ judge, times }) =>
      times.length < 2 ? [] : [{ judge: judge.service.name, ...selfConsistency(times.map(said => flat(runs, said))) }],
    ),
  }
}

type Scores = Map<string, number>

// What each answer earns under a judge, strictly; one without a verdict is left out.
function scoresOf(run: JudgedRun, said: Map<string, Judgment> | undefined): Scores {
  const { benchmark, answers } = run
  return new Map(
    answers.flatMap(({ sample, reply }) => {
      const judgment = said?.get(sample.id)
      if (!judgment) return []
      const { score } = keptGrade(benchmark, sample, benchmark.judge.task, { reply, judge: judgment.replies })
      return score === null ? [] : [[sample.id, score] as const]
    }),
  )
}

function flat(runs: readonly JudgedRun[], said: Map<JudgedRun, Map<string, Judgment>>): Scores {
  return new Map(
    runs.flatMap(run =>
      [...scoresOf(run, said.get(run))].map(([id, score]) => [`${run.folder}\n${id}`, score] as const),
    ),
  )
}

function differenceOf(run: JudgedRun, first: Scores | undefined, second: Scores | undefined): PairedResult | null {
  return pairedBootstrap(
    run.answers.flatMap(({ sample }) => {
      const [a, b] = [first?.get(sample.id), second?.get(sample.id)]
      return a === undefined || b === undefined ? [] : [{ a: 100 * a, b: 100 * b, cluster: sample.video }]
    }),
  )
}

function orderOf(
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
  families: SwapWork['families'],
): { family: string; residual: number | null; why?: string } {
  const family = familyOf(judge, families)
  if (family === undefined) return { family: '-', residual: null, why: 'its maker is not in judging.families' }
  const excess = (isOwn: boolean) =>
    runs.flatMap((run, i) => {
      const own = means[at]?.[i]
      const others = means.flatMap((of, place) => (place === at ? [] : (of[i] ?? [])))
      const fits = (familyOf(run.model, families) === family) === isOwn
      return fits && own !== null && own !== undefined && others.length > 0 ? [own - mean(others)] : []
    })
  const [ours, theirs] = [excess(true), excess(false)]
  if (ours.length === 0 || theirs.length === 0)
    return { family, residual: null, why: `needs runs of ${family} and of others, and a second judge` }
  return { family, residual: mean(ours) - mean(theirs) }
}

function costOfJudge({ judge, times }: Judged): Swap['cost'][number] {
  const said = times.flatMap(time => [...time.values()].flatMap(of => [...of.values()]))
  const sum = (of: (judgment: Judgment) => number) => said.reduce((total, judgment) => total + of(judgment), 0)
  const usage = {
    inputTokens: sum(one => one.usage?.inputTokens ?? 0),
    outputTokens: sum(one => one.usage?.outputTokens ?? 0),
  }
  return {
    ...{ judge: judge.service.name, verdicts: said.length, calls: sum(one => one.usage?.calls ?? 0) },
    ...{ tokens: usage.inputTokens + usage.outputTokens, seconds: sum(one => one.seconds) },
    ...(judge.price && { money: costOf(usage, judge.price) }),
  }
}
