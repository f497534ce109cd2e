import { UsageError } from '../../src/core/errors.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { hashOf, readSplit } from '../benchmarks/read-split.ts'
import type { Sample } from '../benchmarks/sample.ts'

export interface Collected {
  samples: Sample[] // ids are unique
  records: unknown[] // that the samples are made of, twins among them
  twins: string[] // ids that came again and are not asked
  split?: string // which these are of; undefined: the data do not tell
  hash: string // of what is asked, so that a run is only resumed on the same data
}

// All samples of a run. Where ids are not unique, each sample goes by its long id, as the scorer reads it.
export async function collectSamples(
  benchmark: Benchmark,
  data: string,
  options: { split?: string; limit?: number },
): Promise<Collected> {
  const { limit = Number.POSITIVE_INFINITY } = options
  const all: Sample[] = []
  const { records: read, split } = await readSplit(benchmark, data, options.split)
  // A conversation is asked whole: its turns are scored together.
  for (const [place, record] of read.entries()) {
    if (all.length >= limit) break
    all.push(...benchmark.samples(record, place))
  }
  if (all.length === 0)
    throw new UsageError(`There is no question of ${benchmark.name} at ${data}.`, {
      hint: `"longtake bench show ${benchmark.name}" says which file is expected.`,
    })
  const ids = new Set(all.map(sample => sample.id))
  const named = ids.size < all.length ? all.map(sample => ({ ...sample, id: sample.longId ?? sample.id })) : all
  const seen = new Set<string>()
  const samples = named.filter(({ id }) => !seen.has(id) && seen.add(id))
  const twins = named.length === samples.length ? [] : twinIds(named)
  return { samples, records: [...new Set(named.map(sample => sample.record))], twins, split, hash: hashOf(samples) }
}

function twinIds(samples: readonly Sample[]): string[] {
  const seen = new Set<string>()
  return samples.map(({ id }) => id).filter(id => seen.has(id) || !seen.add(id))
}
