import { z } from 'zod'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { BenchRun } from '../runner/run-files.ts'

// What the data hold decides, also in a run that was recorded under another name.
export function ofKnownSplit(run: BenchRun, benchmark: Benchmark): BenchRun {
  const known = run.limit === undefined ? benchmark.editions?.find(one => one.dataHash === run.dataHash) : undefined
  return known ? { ...run, split: known.split } : run
}

// How many records the data hold and the published split has, where all were asked.
export function editionFor(
  run: BenchRun,
  benchmark: Benchmark,
  records: number | undefined,
): { found: number; published: number } | undefined {
  const published = benchmark.editions?.find(one => one.split === run.split)
  if (!published || records === undefined || run.limit !== undefined) return undefined
  return { found: records, published: published.records }
}

// Settings of the benchmark that are not those of its protocol.
export function changedOptions({ settings }: Benchmark, options: BenchRun['options']): string[] {
  const usual: unknown = settings.safeParse({}).data
  const before = z.record(z.string(), z.unknown()).safeParse(usual).data ?? {}
  return Object.entries(options).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(before[name]) ? [] : [departure(name, value, before[name])],
  )
}

// A setting that is left out is the protocol's own.
function departure(name: string, value: unknown, before: unknown): string {
  return before === undefined ? `${name} ${said(value)}` : `${name} ${said(value)}, not ${said(before)}`
}

function said(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// What was shown, under the names that published tables have for it.
export function shownFrames({ by, options: { frames } }: BenchRun): Record<string, string> {
  if (by !== 'model' || frames === undefined) return {}
  const clue = typeof frames === 'number' ? Math.min(32, frames) : frames
  return { frames: String(frames), frames_long: String(frames), frames_clue: String(clue) }
}
