import { unknownName } from '../../src/core/errors.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { Sample } from '../benchmarks/sample.ts'
import { asksOf } from '../runner/asks.ts'
import type { Found } from '../runner/find-videos.ts'
import type { BenchRequest } from './bench-request.ts'

// The tasks that were named, or all. What needs clips of which not one is there is left out, and that is said.
export function wantedTasks(
  benchmark: Benchmark,
  { tasks: named, by }: Pick<BenchRequest, 'tasks' | 'by'>,
  samples: readonly Sample[],
  find: (name: string) => Found,
  say: (line: string) => void,
): ReadonlySet<string> {
  const known = benchmark.tasks.map(task => task.name)
  const unknown = named.find(task => !known.includes(task))
  if (unknown !== undefined) throw unknownName(`task of ${benchmark.name}`, unknown, known)
  if (named.length > 0) return new Set(named)
  const possible = known.filter(task => {
    const clips = samples.flatMap(sample =>
      asksOf(benchmark, sample, new Set([task]), by).flatMap(ask => (ask.video === sample.video ? [] : [ask.video])),
    )
    return clips.length === 0 || clips.some(clip => isThere(find(clip)))
  })
  for (const task of known)
    if (!possible.includes(task)) say(`${task} is left out: the clips of the clues are not there.`)
  return new Set(possible)
}

function isThere(found: Found): boolean {
  return 'path' in found || found.packed === true
}
