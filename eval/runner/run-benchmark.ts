import type { Config } from '../../src/config/schema.ts'
import { UsageError } from '../../src/core/errors.ts'
import { checkPlanner } from '../../src/runtime/ask/open-agent.ts'
import { builtIn, listPermissions, openToolbox } from '../../src/runtime/tools/toolbox.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { checkTakes } from '../protocols/native.ts'
import { type BenchParts, openParts } from './bench-parts.ts'
import type { BenchRequest } from './bench-request.ts'
import { checkVideos } from './check-videos.ts'
import { type BenchResult, conclude } from './conclude.ts'
import type { Forecast } from './cost/forecast.ts'
import { forecastRun } from './cost/forecast-run.ts'
import { describeNewRun, openRun } from './files/open-run.ts'
import type { NewRun, RunFiles } from './files/run-files.ts'
import { foundPath, withCutClips } from './find-files.ts'
import type { Preflight } from './preflight.ts'
import { type BenchProgress, chooseRunner, localRunner, type Runner } from './runner.ts'

// A benchmark run in five steps, so that the caller can look before anything is spent. Close it at the end.
export interface Bench {
  benchmark: Benchmark
  profile: { name: string; why: string }
  judge?: string
  samples: number
  check(onVideo: (done: number, total: number) => void): Promise<Preflight>
  forecast(checked: Preflight): Promise<Forecast>
  describe(): Promise<{ run: NewRun['run']; settings: Config }> // what would be asked, with the models of now
  openFiles(checked: Preflight): Promise<RunFiles>
  run(files: RunFiles, progress: BenchProgress, runner?: Runner): Promise<BenchResult>
  close(): Promise<void>
}

// The steps: open everything, check the videos, forecast, open the run's folder, ask the questions and conclude.
export async function openBench(request: BenchRequest, world: BenchWorld): Promise<Bench> {
  const opened = await openParts(request, world)
  await checkAsking(opened)
  // Cutting takes long, so it comes after all that may be refused.
  const parts = { ...opened, ...(await withCutClips(opened.collected.samples, opened, request, world)) }
  return {
    benchmark: parts.benchmark,
    profile: parts.runtime.profile,
    judge: parts.judge?.name,
    samples: parts.collected.samples.length,
    check: onVideo => checkVideos(parts, onVideo),
    forecast: checked => forecastRun(parts, checked),
    describe: async () => ({ run: await describeNewRun(parts), settings: parts.settings }),
    openFiles: checked => openRun(parts, checked),
    run: async (files, progress, runner = localRunner) => {
      await chooseRunner(parts, runner)({ ...progress, parts, files, samples: locateSamples(parts) })
      const miss = parts.replay?.miss()
      if (miss) throw miss
      return conclude(parts, files)
    },
    close: () => parts.runtime.close(),
  }
}

function locateSamples({ collected, find, findSubtitles }: BenchParts) {
  return collected.samples.map((sample, place) => ({
    sample,
    place,
    locate: find,
    subtitles: foundPath(sample.subtitles === undefined ? undefined : findSubtitles(sample.subtitles)),
  }))
}

// A planner, a model or a tool that cannot be used is an error before anything is asked.
async function checkAsking(parts: BenchParts): Promise<void> {
  const { by, options, runtime, settings } = parts
  if (by === 'model') return checkTakes(options, runtime.models)
  await checkPlanner(settings.graph, async () => (await runtime.models.open('planner')).service)
  checkToolUse(parts, (await openToolbox(runtime.models, settings.tools, listPermissions(settings))).tools)
}

// The calls of an agent that lacks the tools which the data expect are wrong before it begins.
function checkToolUse(
  { benchmark: { toolUse }, tasks, collected, settings }: BenchParts,
  there: readonly { name: string }[],
): void {
  if (!toolUse || !tasks.has(toolUse.task)) return
  const expected = new Set(collected.samples.flatMap(sample => toolUse.expected(sample)))
  const names = new Set(there.map(tool => tool.name))
  const otherTools = builtIn({ ...settings.tools, sets: toolUse.set }, listPermissions(settings))
  const missing = otherTools.filter(name => expected.has(name) && !names.has(name))
  if (missing.length === 0) return
  const firstMissing = missing.slice(0, 5).join(', ')
  throw new UsageError(
    `The task "${toolUse.task}" expects calls of ${firstMissing}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}, which the agent does not have.`,
    { hint: `Give it the tools with --set tools.sets=${toolUse.set}, or leave the task out with --task.` },
  )
}
