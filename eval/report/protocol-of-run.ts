import { stableJson } from '../../src/core/json.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { readNative } from '../protocols/show.ts'
import type { BenchRun } from '../runner/files/run-files.ts'
import { readOptions } from '../runner/options.ts'

// What the data hold decides, also in a run that was recorded under another name.
export function ofKnownSplit(run: BenchRun, benchmark: Benchmark): BenchRun {
  const edition =
    run.limit === undefined ? benchmark.data.editions?.find(one => one.dataHash === run.dataHash) : undefined
  return edition ? { ...run, split: edition.split } : run
}

// How many records the data hold, where all were asked, and the published split has, where that is known.
export function editionFor(run: BenchRun, benchmark: Benchmark, records: number | undefined): RecordCount | undefined {
  if (records === undefined || run.limit !== undefined) return undefined
  return editionIn(benchmark, run.split, records)
}

export interface RecordCount {
  found: number
  published?: number
}

export function editionIn({ data: { editions } }: Benchmark, split: string | undefined, found: number): RecordCount {
  const splitEdition = editions?.find(one => one.split === split)
  return { found, ...(splitEdition && { published: splitEdition.records }) }
}

// Settings of the benchmark that are not those of its protocol: of the paper's own mode, where the defaults are not that.
export function changedOptions(benchmark: Benchmark, options: BenchRun['options']): string[] {
  const papers = Object.entries(benchmark.variants ?? {}).find(([, { isPapers }]) => isPapers)
  const ofPaper = papers && readOptions(benchmark, papers[1].options)
  const isNative = ofPaper !== undefined && readNative(ofPaper) !== undefined && readNative(options) !== undefined
  const before = isNative ? ofPaper : readOptions(benchmark, [])
  return Object.entries(options).flatMap(([name, value]) =>
    name === 'variant' || JSON.stringify(value) === JSON.stringify(before[name])
      ? []
      : [departure(name, value, before[name])],
  )
}

// A setting that is left out is the protocol's own.
function departure(name: string, value: unknown, before: unknown): string {
  return before === undefined
    ? `${name} ${settingText(value)}`
    : `${name} ${settingText(value)}, not ${settingText(before)}`
}

function settingText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export interface Mode {
  name: string
  sets: string[] // options
}

// The mode of the paper that a run is in: as it was named, or as its options are.
export function findRunMode(benchmark: Benchmark, options: BenchRun['options']): Mode | undefined {
  const { variant, ...own } = options
  const { variants = {} } = benchmark
  const optionsOf = (name: string) => {
    const { variant: _, ...read } = readOptions(benchmark, [`variant=${name}`])
    return read
  }
  const name =
    typeof variant === 'string'
      ? variant
      : Object.keys(variants).find(one => stableJson(optionsOf(one)) === stableJson(own))
  const mode = name === undefined ? undefined : variants[name]
  return name === undefined || !mode
    ? undefined
    : { name: mode.printed ?? name, sets: mode.options.map(one => one.slice(0, one.indexOf('='))) }
}

// What was shown, under the names that published tables have for it.
export function frameSettings({ by, options }: BenchRun, benchmark: Benchmark): Record<string, string> {
  const { frames, video, picture, sampling, subtitles, metadata, dontKnow } = options
  if (by !== 'alone' || frames === undefined) return {}
  const isVideo = video !== undefined && video !== 'off'
  const clue = typeof frames === 'number' ? Math.min(32, frames) : frames
  const mode = findRunMode(benchmark, options)
  const samplings: Record<string, string> = { keyframes: 'Keyframe', shots: 'Shots' }
  return {
    frames: isVideo ? 'video' : String(frames),
    frames_long: isVideo ? 'video' : String(frames),
    frames_clue: isVideo ? 'video' : String(clue),
    ...(mode && { variant: mode.name }),
    ...(!isVideo && { picture: picture === 'high' ? 'High' : 'Low' }),
    ...(!isVideo && { sampling: samplings[String(sampling)] ?? 'Uniform' }),
    video: sign(isVideo || frames !== 0),
    subtitles: sign(![undefined, false, 'off', 'none'].includes(subtitles as string | undefined)),
    metadata: sign(metadata === 'also' || metadata === 'only'),
    dontKnow: sign(dontKnow !== false),
  }
}

function sign(isThere: boolean): string {
  return isThere ? '✓' : '✗'
}
