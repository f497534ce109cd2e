import { UsageError } from '../../src/core/errors.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { RecordMap } from '../benchmarks/map/record-map.ts'
import { withMap } from '../benchmarks/map/with-map.ts'
import { allSamples, hashSamples, nameSamples, readSplit } from '../benchmarks/read-split.ts'
import { findDataFaults } from '../data/data-faults.ts'
import type { LeftOut, Sample } from '../data/sample.ts'
import { withAbout } from '../protocols/about.ts'
import { onClips } from '../protocols/clue-clips.ts'

export interface Collected {
  samples: Sample[] // ids are unique
  records: unknown[] // that the samples are made of, twins among them
  faults: string[] // of the data
  files: string[] // that the data are read from
  leftOut: LeftOut[] // that the settings of the benchmark do not ask
  split?: string // which these are of; undefined: the data do not tell
  hash: string // of what is asked, so that a run is only resumed on the same data
}

// All samples of a run, under the benchmark's settings. Where ids are not unique, each sample goes by its long id, as the scorer reads it.
export async function collectSamples(
  given: Benchmark,
  data: string,
  options: { split?: string; limit?: number; map?: RecordMap },
  settings: Record<string, unknown> = {}, // of the benchmark
): Promise<Collected> {
  const { limit = Number.POSITIVE_INFINITY } = options
  const benchmark = withMap(given, options.map)
  const all: Sample[] = []
  const leftOut: LeftOut[] = []
  const configured = { ...benchmark, ...benchmark.under?.(settings) }
  const withClips = onClips({ ...configured, ...(await withAbout(configured, settings, data)) }, settings)
  const { records: read, files, split } = await readSplit(benchmark, data, options.split)
  // A conversation is asked whole: its turns are scored together.
  for (const [place, record] of read.entries()) {
    if (all.length >= limit) break
    all.push(...withClips.samples(record, place))
    leftOut.push(...(withClips.leftOut?.(record, place) ?? []))
  }
  if (all.length === 0)
    throw new UsageError(
      `There is no question of ${benchmark.name} at ${data}${leftOut.length > 0 ? ` that these options ask: ${leftOut.length} are left out` : ''}.`,
      {
        hint: `"longtake bench show ${benchmark.name}" says which file is expected.`,
      },
    )
  // By all that the data hold: what a sample is called hangs on no option and no limit.
  const named = nameSamples(all, allSamples(benchmark, read))
  const seen = new Set<string>()
  const samples = named.filter(({ id }) => !seen.has(id) && seen.add(id))
  const records = [...new Set(named.map(sample => sample.record))]
  return { samples, records, files, faults: findDataFaults(named), leftOut, split, hash: hashSamples(samples) }
}
