import type { Config } from '../../src/config/schema.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { loadAnswerer } from './ask/by/index.ts'
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
  await (await loadAnswerer(request.by)).check(opened)
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
