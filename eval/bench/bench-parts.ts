import { resolve } from 'node:path'
import { secretsOf } from '../../src/app/ask/recorded-run.ts'
import { createRuntime } from '../../src/app/runtime.ts'
import { recordedSettings } from '../../src/config/recorded-settings.ts'
import type { ResolvedConfig } from '../../src/config/resolve.ts'
import type { Config } from '../../src/config/schema.ts'
import type { Layer } from '../../src/config/tree.ts'
import { unknownName } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { replayCalls } from '../../src/store/call-log/replay.ts'
import { redactor } from '../../src/store/redact.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { type PromptFile, readPromptFile } from '../benchmarks/prompt-file.ts'
import type { Sample } from '../benchmarks/sample.ts'
import type { Found } from '../data/find-videos.ts'
import { openJudge, readWording } from '../judges/bench-judge.ts'
import { checkShown, isBlind } from '../protocols/show.ts'
import { askedWith, asksOf } from '../runner/asks-of-sample.ts'
import { type Collected, collectSamples } from '../runner/collect-samples.ts'
import { readOptions } from '../runner/options.ts'
import type { BenchRun } from '../runner/run-files.ts'
import { environmentNow } from '../runner/run-folder.ts'
import type { BenchRequest, BenchWorld } from './bench-request.ts'
import { fetchedData } from './fetched-data.ts'
import { filesOf } from './find-files.ts'
import type { Asking } from './settle.ts'

// Everything that a run is made of, opened and checked; nothing is asked or written yet.
export interface BenchParts extends Asking {
  request: BenchRequest
  world: BenchWorld
  collected: Collected
  settings: Config
  wording?: BenchRun['wording']
  prompt?: PromptFile
  fetched?: BenchRun['fetched']
  find(video: string): Found
  findSubtitles(name: string): Found
}

export async function openParts(request: BenchRequest, world: BenchWorld): Promise<BenchParts> {
  const { environment, say } = world
  const loaded = await loadBenchmark(request.benchmark)
  const options = readOptions(loaded, request.options)
  const benchmark = askedWith(loaded, options)
  checkShown(request.by, options)
  const blind = isBlind({ by: request.by, options })
  const fetched = await fetchedData(request.data, world)
  const collected = await collectSamples(loaded, request.data, request, options)
  const { leftOut } = collected
  if (leftOut.length > 0) world.say(`${leftOut.length} questions are left out: ${leftOut[0]?.reason}.`)
  const { find, findSubtitles } = await filesOf(request, benchmark, collected.samples, blind, world)
  const tasks = wantedTasks(benchmark, request, collected.samples, find, say)
  const replay = request.replay === undefined ? undefined : await replayCalls(`${request.replay}/calls`)
  const { text, wording } = await readWording(benchmark, request.wording, options)
  const config = protocolConfig(world.config, options)
  const runtime = await createRuntime({ ...world, config, replay, fixedIndexes: request.change?.stages ?? {} })
  const { models } = runtime
  const judge = await openJudge({ benchmark, judge: request.judge, wording: text, models, say })
  const tasksOf = benchmark.tasks.map(task => task.name)
  const prompt = typeof options.prompt === 'string' ? await readPromptFile(resolve(options.prompt), tasksOf) : undefined
  return {
    ...{ request, world, benchmark, collected, tasks, options, runtime },
    by: request.by,
    change: request.change,
    settings: runtime.settings,
    replay,
    judge: judge && tasks.has(judge.protocol.task) ? judge : undefined,
    wording,
    wordingText: text,
    prompt,
    prompts: prompt?.prompts,
    redact: redactor(secretsOf(environment)),
    fetched,
    find,
    findSubtitles,
  }
}

// What the run's environment.json says.
export function describeRun(parts: BenchParts): Omit<BenchRun, 'format' | 'started'> {
  const { request, world, collected, settings, options, wording, prompt, fetched } = parts
  const { benchmark, data, videos, limit, by, judge, flags, change } = request
  const { split } = collected
  return {
    ...environmentNow('bench', { benchmark, split }, world.version),
    profile: parts.runtime.profile,
    ...{ benchmark, data, videos, split, limit, tasks: [...parts.tasks], by, options, judge },
    judgedBy: parts.judge?.name,
    wording,
    prompt: prompt && { file: prompt.file, sha256: prompt.sha256 },
    models: modelNames(settings),
    samples: collected.samples.length,
    dataHash: collected.hash,
    ...(fetched && { fetched }),
    settingsHash: contentHash(recordedSettings(settings)),
    flags,
    ...(change && { change: change.described }),
  }
}

export function modelNames({ models }: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries(models).map(([role, { backend, model }]) => [
      role,
      model === undefined ? backend : `${backend}/${String(model)}`,
    ]),
  )
}

// Where the protocol says without subtitles, those that lie beside the videos are not used either.
function protocolConfig(config: ResolvedConfig, { subtitles }: Record<string, unknown>): ResolvedConfig {
  if (subtitles !== false && subtitles !== 'none' && subtitles !== 'off') return config
  const layer: Layer = {
    name: 'flag',
    values: { index: { subtitles: 'ignore' } },
    place: () => 'the protocol of the benchmark',
  }
  return { ...config, layers: [...config.layers, layer] }
}

// The tasks that were named, or all. What needs clips of which not one is there is left out, and that is said.
function wantedTasks(
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
