import { listSecrets, redactor } from '../../src/store/redact.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Judgment } from '../data/sample-line.ts'
import { type JudgeWishes, withJudges } from '../judges/open-judges.ts'
import { estimate } from '../runner/cost/estimate.ts'
import { loadRuns } from './agree-runs.ts'
import { judgeAgain, toAsk } from './judge-again.ts'
import type { DataPlace, JudgedRun } from './judged-run.ts'
import { storedSights } from './stored-sight.ts'
import { compareSwap, type JudgedRuns, type Swap } from './swap.ts'

interface SwapWork extends JudgeWishes, DataPlace {
  folders: readonly string[]
  repeat: number
  families: Record<string, string[]>
  onJudged(done: number): void
}

interface JudgeForecast {
  judge: string
  verdicts: number // still to be asked for
  calls: number // at least
  tokens?: number // by what this judge took for such a call before; undefined if nothing is known
  money?: number
}

// What judging these runs would take.
export async function forecastJudges(work: Omit<SwapWork, 'onJudged'>, world: BenchWorld): Promise<JudgeForecast[]> {
  const runs = await loadRuns(work.folders, work)
  const knownUsage = runs.flatMap(run => run.answers).flatMap(answer => answer.judgment?.usage ?? [])
  const calls = knownUsage.reduce((sum, usage) => sum + usage.calls, 0)
  const perCall = (name: 'inputTokens' | 'outputTokens') =>
    knownUsage.reduce((sum, usage) => sum + usage[name], 0) / calls
  return withJudges(runs[0]!.benchmark, work, world, async judges => {
    await storedSights({ runs, judges, repeat: work.repeat, dryRun: true }, world)
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
      const each = { inputTokens: perCall('inputTokens'), outputTokens: perCall('outputTokens') }
      const { inputTokens, outputTokens, money } = estimate(asked, each, [judge.price])
      rows.push({
        judge: judge.service.name,
        verdicts,
        calls: isFree ? 0 : asked,
        ...(!isFree && calls > 0 && { tokens: Math.round(inputTokens + outputTokens) }),
        ...(!isFree && calls > 0 && money !== undefined && { money }),
      })
    }
    return rows
  })
}

// The same answers under several judges: does the order of the runs hang on who judges?
export async function compareJudges(work: SwapWork, world: BenchWorld): Promise<Swap> {
  const runs = await loadRuns(work.folders, work)
  const redact = redactor(listSecrets(world.environment))
  return withJudges(runs[0]!.benchmark, work, world, async judges => {
    const sights = await storedSights({ runs, judges, repeat: work.repeat }, world)
    const all: JudgedRuns[] = []
    let judgedCount = 0
    for (const judge of judges) {
      const times: JudgedRuns['times'] = []
      for (let repeat = 1; repeat <= work.repeat; repeat++) {
        const judgmentsByRun = new Map<JudgedRun, Map<string, Judgment>>()
        const onJudged = () => work.onJudged(++judgedCount)
        for (const run of runs) {
          const judgeWork = { run, judge, repeat, redact, sight: sights(run), signal: world.signal, onJudged }
          judgmentsByRun.set(run, await judgeAgain(judgeWork))
        }
        times.push(judgmentsByRun)
      }
      all.push({ judge, times })
    }
    return compareSwap(runs, all, work.families)
  })
}
