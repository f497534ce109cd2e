import { join } from 'node:path'
import { type ChatModel, decorate } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import { usageCost } from '../../src/runtime/models/prices.ts'
import { resumeCalls } from '../../src/store/call-log/resume.ts'
import { ensureFolder, writeDurably } from '../../src/store/durable.ts'
import { listSecrets, redactor } from '../../src/store/redact.ts'
import type { BenchWorld } from '../bench-world.ts'
import { benchmarkNames, loadBenchmark } from '../benchmarks/index.ts'
import type { ReportTable } from '../data/report-table.ts'
import { calibrate, type JudgeCheck } from '../judges/calibration/calibrate.ts'
import { checkCovers, judgeCheckKey, readCheck, runFile } from '../judges/calibration/judge-check.ts'
import { type JudgeWishes, type OpenedJudge, withJudges } from '../judges/open-judges.ts'
import { calibrationSets } from '../protocols/judge/calibration/calibration-set.ts'
import { isSeeing } from '../protocols/judge/protocol.ts'
import { type BenchRun, readBenchRun } from '../runner/files/run-files.ts'

interface CalibrateWork extends JudgeWishes {
  folders: readonly string[] // runs whose judge is checked; none: every benchmark that has a set
  dryRun: boolean
  onJudged(done: number): void
}

// Judges on the shipped items of each benchmark. What is found is kept for later runs, and in the runs that were named.
export async function checkJudges(work: CalibrateWork, world: BenchWorld): Promise<JudgeCheck[]> {
  const { folders, onJudged, modes = [] } = work
  const seeing = modes.find(isSeeing)
  if (seeing !== undefined)
    throw new UsageError(`The shipped answers are of no video, so a judge cannot be checked in the mode "${seeing}".`, {
      hint: 'Leave --judge-mode out, or judge a run.',
    })
  const runs = await Promise.all(folders.map(async folder => ({ folder, run: await readBenchRun(folder) })))
  const names = folders.length > 0 ? [...new Set(runs.map(({ run }) => run.benchmark))] : benchmarkNames
  const checks: JudgeCheck[] = []
  for (const name of names) {
    const benchmark = await loadBenchmark(name)
    if (!benchmark.judge?.calibration) {
      if (folders.length > 0)
        throw new UsageError(`${name} has no shipped answers to check a judge on.`, {
          hint: 'Write a sheet for people: bench agree --sample.',
        })
      continue
    }
    const judges = work.judges.length > 0 ? work.judges : listJudges(runs.map(({ run }) => run))
    const { set } = benchmark.judge.calibration
    if (work.dryRun) {
      world.say(`${name}: ${calibrationSets[set]().length} answers (${set}) for each of ${judges.join(', ')}.`)
      continue
    }
    const judgeChecks = await withJudges(benchmark, { ...work, judges }, world, async opened => {
      const all: JudgeCheck[] = []
      for (const judge of opened) all.push(await checkOne(name, judge, world, onJudged))
      return all
    })
    for (const { folder, run } of runs)
      for (const check of judgeChecks)
        if (checkCovers(check, run)) await writeDurably(join(folder, runFile), `${JSON.stringify(check, null, 1)}\n`)
    checks.push(...judgeChecks)
  }
  return checks
}

// The judges of the runs, as --judge would name them; models.judge where no run is named.
function listJudges(runs: readonly Pick<BenchRun, 'judgedBy'>[]): string[] {
  const names = runs.map(({ judgedBy }) => judgedBy?.replace(/^chat\//, '').replace(/ \([\w+]+\)$/, ''))
  return names.length === 0 ? ['model'] : [...new Set(names.map(name => name ?? 'model'))]
}

async function checkOne(
  name: string,
  judge: OpenedJudge,
  world: BenchWorld,
  onJudged: (done: number) => void,
): Promise<JudgeCheck> {
  const { wording, digest, price, service } = judge
  const folder = join(world.home, 'judges', judgeCheckKey(name, service.name, wording))
  await ensureFolder(folder)
  const calls = resumeCalls(
    join(folder, 'calls', digest?.replace(/\W/g, '').slice(0, 16) ?? 'model'),
    redactor(listSecrets(world.environment)),
  )
  let askedCount = 0
  const counted = (chat: ChatModel) =>
    decorate(chat, (...call) => {
      askedCount++
      return chat.reply(...call)
    })
  const judged = service.withChat?.(chat => calls.model(counted(chat))) ?? service
  const calibrated = await calibrate(judged, { signal: world.signal, onJudged })
  if (!calibrated) throw new Error(`${name} has no set for its judge.`)
  // Where every reply was there, it was checked when they were given.
  const before = askedCount > 0 || !service.withChat ? undefined : await readCheck(folder)
  const check: JudgeCheck = {
    format: 1,
    benchmark: name,
    ...calibrated,
    date: before?.date ?? new Date().toISOString(),
    ...(wording !== undefined && { wording }),
    ...(digest !== undefined && { digest }),
    ...(price && { money: usageCost(calibrated, price) }),
  }
  await writeDurably(join(folder, 'check.json'), `${JSON.stringify(check, null, 1)}\n`)
  return check
}

export function checkTables(checks: readonly JudgeCheck[]): ReportTable[] {
  if (checks.length === 0) return []
  const number = (value: number | null, digits: number) => (value === null ? '-' : value.toFixed(digits))
  const range = ({ value, low, high }: JudgeCheck['kappa']) =>
    low === null || high === null ? number(value, 2) : `${number(value, 2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
  return [
    {
      title: 'Judges on the shipped answers',
      columns: ['benchmark', 'judge', 'right', 'kappa', 'bias', 'no verdict', 'calls', 'tokens', 'seconds', 'money'],
      rows: checks.map(check => [
        ...[check.benchmark, check.judge, `${check.right} of ${check.n}`, range(check.kappa), number(check.bias, 1)],
        ...[String(check.unjudged), String(check.calls), String(check.inputTokens + check.outputTokens)],
        ...[check.seconds.toFixed(1), check.money === undefined ? '-' : check.money.toFixed(4)],
      ]),
      notes: ['Kappa of scores is weighted by squares. Bias: points of 100 that the judge gives more than is due.'],
    },
    ...checks.map(({ benchmark, judge, classes }) => ({
      title: `By class: ${benchmark}, ${judge}`,
      columns: ['class', 'right', 'of'],
      rows: Object.entries(classes).map(([name, { n, right }]) => [name, String(right), String(n)]),
      notes: [],
    })),
  ]
}
