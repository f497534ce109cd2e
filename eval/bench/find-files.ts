import { join } from 'node:path'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { Sample } from '../benchmarks/sample.ts'
import { type Found, rootOf, videoFinder } from '../data/find-videos.ts'
import { withPacked } from '../data/packed-files.ts'
import { asksOf } from '../runner/asks-of-sample.ts'
import type { BenchRequest, BenchWorld } from './bench-request.ts'

export interface Finders {
  find(video: string): Found
  findSubtitles(name: string): Found
}

// Where the videos, clips and subtitles of these samples lie: as files, or in archives as they were fetched.
export async function filesOf(
  request: BenchRequest,
  benchmark: Benchmark,
  samples: readonly Sample[],
  blind: boolean,
  { home, say, signal }: BenchWorld,
): Promise<Finders> {
  const { data, videos, tasks, by, dryRun } = request
  const asked = new Set(tasks.length > 0 ? tasks : benchmark.tasks.map(task => task.name))
  const names = blind
    ? []
    : samples.flatMap(sample => [sample.video, ...asksOf(benchmark, sample, asked, by).map(ask => ask.video)])
  const folder = join(home, 'benchmarks', 'unpacked')
  const root = await rootOf(data, videos)
  const find = await withPacked({
    names,
    find: await videoFinder(data, videos),
    roots: [root],
    folder,
    dryRun,
    say,
    signal,
  })
  const subtitles = samples.flatMap(sample => sample.subtitles ?? [])
  const beside = await rootOf(data)
  const findSubtitles = await withPacked({
    names: subtitles,
    find: beside === root ? find : either(find, await videoFinder(data)),
    roots: [...new Set([root, beside])],
    folder,
    dryRun,
    say,
    signal,
  })
  // Without pictures a video is a name, whether its file is there or not.
  return { find: blind ? name => ({ path: name }) : find, findSubtitles }
}

function either(first: (name: string) => Found, second: (name: string) => Found): (name: string) => Found {
  return name => {
    const found = first(name)
    return 'path' in found ? found : second(name)
  }
}
