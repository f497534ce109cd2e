import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { version } from '../../src/cli/version.ts'
import type { ResolvedConfig } from '../../src/config/resolve.ts'
import { visibleFileName } from '../../src/core/words/visible-text.ts'
import type { CardDifference } from '../report/export/reproduction.ts'
import { metricTitle } from '../report/titles.ts'
import type { BenchRequest } from '../runner/bench-request.ts'
import type { BenchResult } from '../runner/conclude.ts'
import type { Preflight } from '../runner/preflight.ts'
import { type Bench, openBench } from '../runner/run-benchmark.ts'
import { benchProgress } from './bench-progress.ts'
import { benchRequest, resumeCommand } from './bench-request.ts'
import { benchForecastLines, differenceLines, refuseDifferences, runPreflight, withResume } from './preflight.ts'
import { fetchSentCalls, openRunQueue, type RunQueue } from './queue.ts'
import { formatScores } from './table-lines.ts'

const run: CommandRun = async call => {
  const { request, config } = await benchRequest(call)
  if (request.replay !== undefined) await fetchSentCalls(call, config.settings, request.replay)
  const cluster = await openRunQueue(call, config.settings)
  try {
    return await carryOutRun(call, cluster, request, config)
  } finally {
    await cluster.close()
  }
}

// A run that repeats another: how it differs before anything is spent, and what it says at its end.
interface Repeats {
  command: readonly string[] // what resumes it
  compare(bench: Bench, checked: Preflight): Promise<CardDifference[]>
  finish(ran: BenchResult): Promise<number>
}

export async function carryOutRun(
  call: Call,
  cluster: RunQueue,
  request: BenchRequest,
  config: ResolvedConfig,
  repeats?: Repeats,
): Promise<number> {
  const bench = await openBench(request, { ...(await call.host()), config, version: version() })
  try {
    call.remark(`Profile ${bench.profile.name}: ${bench.profile.why}.${bench.judge ? ` Judge: ${bench.judge}.` : ''}`)
    const checked = await runPreflight(call, {
      check: bench.check,
      plan: async checked => ({
        forecast: await bench.forecast(checked),
        differences: await repeats?.compare(bench, checked),
      }),
      document: plan => plan,
      lines: ({ forecast, differences }) => [
        ...(differences ? differenceLines(differences) : []),
        ...benchForecastLines(forecast),
      ],
      refuse: ({ differences = [] }) => {
        if (!call.has('--anyway')) refuseDifferences(differences)
      },
      hint: `Name their folder with --videos FOLDER; "longtake bench show ${request.benchmark}" says what to download.`,
    })
    if (typeof checked === 'number') return checked
    const files = await bench.openFiles(checked)
    const progress = await benchProgress(call)
    try {
      call.remark(`Run: ${visibleFileName(files.folder)}`)
      if (call.has('--record')) call.remark(`Every call is recorded in ${visibleFileName(files.folder)}/calls.`)
      const runResult = await bench.run(files, progress, await cluster.runner(files.folder))
      progress.finish()
      return repeats ? repeats.finish(runResult) : finish(call, runResult, bench.benchmark.paper?.judgedMetrics)
    } catch (error) {
      progress.finish()
      throw withResume(error, call, resumeCommand(call, files.folder, repeats?.command))
    } finally {
      files.close()
    }
  } finally {
    await bench.close()
  }
}

function finish(
  call: Call,
  { folder, run, lines, scores, failed, unjudged }: BenchResult,
  judgedMetrics: string[] = [],
): number {
  const { benchmark, judgedBy } = run
  const document = { run: folder, benchmark, judgedBy, samples: lines.length, failed, unjudged, scores }
  result(call, document, [
    ...formatScores(
      [scores.strict, scores.official],
      metric => metricTitle({ run, judgedMetrics }, metric),
      judgedMetrics,
    ),
    '',
    ...scores.strict.notes,
    ...(failed > 0 ? [`${failed} questions could not be asked; they count as wrong.`] : []),
    ...(unjudged > 0 ? [`${unjudged} answers could not be judged; --resume judges them again.`] : []),
    `More: longtake bench report ${visibleFileName(folder)} --html report.html`,
  ])
  return failed > 0 || unjudged > 0 ? exitCodes.partial : exitCodes.ok
}

export const benchRunCommands = { run }
