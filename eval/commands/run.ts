import { join } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { exitCodes } from '../../src/cli/fail.ts'
import { result } from '../../src/cli/output.ts'
import { version } from '../../src/cli/version.ts'
import type { ResolvedConfig } from '../../src/config/resolve.ts'
import { visibleFileName } from '../../src/core/words/visible-text.ts'
import { exists } from '../../src/store/read-file.ts'
import { epochsFolder, epochTable, readEpochs } from '../report/epochs.ts'
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
import { formatScores, tableLines } from './table-lines.ts'

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
  const benchHost = { ...(await call.host()), config, version: version() }
  const bench = await openBench(request, benchHost)
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
        ...((request.epochs ?? 1) > 1
          ? [`Epochs: the questions are asked ${request.epochs} times; what they take is that of one.`]
          : []),
      ],
      refuse: ({ differences = [] }) => {
        if (!call.has('--anyway')) refuseDifferences(differences)
      },
      hint: `Name their folder with --videos FOLDER; "longtake bench show ${request.benchmark}" says what to download.`,
    })
    if (typeof checked === 'number') return checked
    const ran = await answerAll(call, cluster, bench, checked, repeats?.command)
    if (repeats) return repeats.finish(ran)
    const { epochs = 1 } = request
    for (let epoch = 2; epoch <= epochs; epoch++) {
      const folder = join(epochsFolder(ran.folder), String(epoch))
      const runPlace = (await exists(join(folder, 'environment.json'))) ? { resume: folder } : { out: folder }
      call.remark(`Epoch ${epoch} of ${epochs}, with the seed ${epoch}.`)
      const again = await openBench(
        { ...request, out: undefined, resume: undefined, ...runPlace, epochs: 1, epoch },
        benchHost,
      )
      try {
        await answerAll(call, cluster, again, checked, undefined, ran.folder)
      } finally {
        await again.close()
      }
    }
    return finish(call, ran, bench.benchmark.paper?.judgedMetrics)
  } finally {
    await bench.close()
  }
}

async function answerAll(
  call: Call,
  cluster: RunQueue,
  bench: Bench,
  checked: Preflight,
  command?: readonly string[], // that resumes it, where it is not "run"
  resumed?: string, // the run that is resumed, where it is not this folder
): Promise<BenchResult> {
  const files = await bench.openFiles(checked)
  const progress = await benchProgress(call)
  try {
    call.remark(`Run: ${visibleFileName(files.folder)}`)
    if (call.has('--record')) call.remark(`Every call is recorded in ${visibleFileName(files.folder)}/calls.`)
    return await bench.run(files, progress, await cluster.runner(files.folder))
  } catch (error) {
    throw withResume(error, call, resumeCommand(call, resumed ?? files.folder, command))
  } finally {
    progress.finish()
    files.close()
  }
}

async function finish(
  call: Call,
  { folder, run, lines, scores, failed, unjudged }: BenchResult,
  judgedMetrics: string[] = [],
): Promise<number> {
  const { benchmark, judgedBy } = run
  const epochs = await readEpochs(folder, lines, run.tasks)
  const document = {
    run: folder,
    benchmark,
    judgedBy,
    samples: lines.length,
    failed,
    unjudged,
    scores,
    ...(epochs && { epochs }),
  }
  result(call, document, [
    ...formatScores(
      [scores.strict, scores.official],
      metric => metricTitle({ run, judgedMetrics }, metric),
      judgedMetrics,
    ),
    '',
    ...(epochs ? tableLines([epochTable(epochs)], call.terminal) : []),
    ...scores.strict.notes,
    ...(failed > 0 ? [`${failed} questions could not be asked; they count as wrong.`] : []),
    ...(unjudged > 0 ? [`${unjudged} answers could not be judged; --resume judges them again.`] : []),
    `More: longtake bench report ${visibleFileName(folder)} --html report.html`,
  ])
  return failed > 0 || unjudged > 0 ? exitCodes.partial : exitCodes.ok
}

export const benchRunCommands = { run }
