import { createHash } from 'node:crypto'
import { UsageError } from '../../src/core/errors.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { Sample } from '../benchmarks/sample.ts'

export interface Collected {
  samples: Sample[] // ids are unique
  records: unknown[] // that the samples are made of, twins among them
  twins: string[] // ids that came again and are not asked
  hash: string // of what is asked, so that a run is only resumed on the same data
}

// All samples of a run. Where ids are not unique, each sample goes by its long id, as the scorer reads it.
export async function collectSamples(
  benchmark: Benchmark,
  data: string,
  options: { split?: string; limit?: number },
): Promise<Collected> {
  const { split, limit = Number.POSITIVE_INFINITY } = options
  const all: Sample[] = []
  const read = await benchmark.records(data, split)
  // A conversation is asked whole: its turns are scored together.
  for (const [place, record] of read.entries()) {
    if (all.length >= limit) break
    all.push(...benchmark.samples(record, place))
  }
  if (all.length === 0)
    throw new UsageError(
      `There is no question of ${benchmark.name}${split ? ` in the split "${split}"` : ''} at ${data}.`,
      {
        hint: `"longtake bench show ${benchmark.name}" says which file is expected.`,
      },
    )
  const ids = new Set(all.map(sample => sample.id))
  const named = ids.size < all.length ? all.map(sample => ({ ...sample, id: sample.longId ?? sample.id })) : all
  const seen = new Set<string>()
  const samples = named.filter(({ id }) => !seen.has(id) && seen.add(id))
  const twins = named.length === samples.length ? [] : twinIds(named)
  return { samples, records: [...new Set(named.map(sample => sample.record))], twins, hash: hashOf(samples) }
}

function twinIds(samples: readonly Sample[]): string[] {
  const seen = new Set<string>()
  return samples.map(({ id }) => id).filter(id => seen.has(id) || !seen.add(id))
}

function hashOf(samples: readonly Sample[]): string {
  const hash = createHash('sha256')
  for (const { id, video, question, reference, choice } of samples)
    hash.update(`${JSON.stringify([id, video, question, reference, choice])}\n`)
  return hash.digest('hex')
}
