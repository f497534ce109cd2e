import { resolve } from 'node:path'
import { recordedSettings } from '../../src/config/recorded-settings.ts'
import type { ResolvedConfig } from '../../src/config/resolve.ts'
import type { Config } from '../../src/config/schema.ts'
import type { SettingsLayer } from '../../src/config/tree.ts'
import { UsageError, unknownName } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { replayCalls } from '../../src/store/call-log/replay.ts'
import { findChangedFiles, lockName, readDataLock } from '../../src/store/models/data-lock.ts'
import { listSecrets, redactor } from '../../src/store/redact.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { loadBenchmark } from '../benchmarks/index.ts'
import { type PromptFile, readPromptFile } from '../benchmarks/prompt-file.ts'
import { readMadeSet } from '../data/benchmark-json.ts'
import { findVideoRoot, type VideoFile } from '../data/find-videos.ts'
import type { Sample } from '../data/sample.ts'
import { openJudge, readJudgeWording } from '../judges/bench-judge.ts'
import { aboutHash } from '../protocols/about.ts'
import type { JudgeMode } from '../protocols/judge/protocol.ts'
import { checkBlind, checkShown, isBlind, isTold } from '../protocols/show.ts'
import { besideVideos, withSubtitleFiles } from '../protocols/subtitles.ts'
import { askedWith, buildAsks } from './ask/asks-of-sample.ts'
import type { RunContext } from './ask/run-context.ts'
import type { BenchRequest } from './bench-request.ts'
import { type Collected, collectSamples } from './collect-samples.ts'
import type { VideoLook } from './cost/shown-cost.ts'
import type { BenchRun } from './files/run-files.ts'
import { environmentNow } from './files/run-folder.ts'
import { findBenchFiles } from './find-files.ts'
import { readOptions } from './options.ts'

// Everything that a run is made of, opened and checked; nothing is asked or written yet.
export interface BenchParts extends RunContext, DescribedFiles {
  request: BenchRequest
  world: BenchWorld
  collected: Collected
  settings: Config
  mode?: JudgeMode // of the judge
  find(video: string): VideoFile
  findSubtitles(name: string): VideoFile
  looks: Map<string, VideoLook> // into the videos, by their paths
}

// The files that a run goes by, as its environment names them.
interface DescribedFiles {
  wording?: BenchRun['wording']
  prompt?: PromptFile
  about?: string // hash of what is said about the videos
  fetched?: BenchRun['fetched']
  made?: BenchRun['made']
}

export async function openParts(request: BenchRequest, world: BenchWorld): Promise<BenchParts> {
  const { environment, say } = world
  const loaded = await loadBenchmark(request.benchmark)
  const options = readOptions(loaded, request.options)
  const benchmark = askedWith(loaded, options)
  checkShown(request.by, options)
  const blind = isBlind({ by: request.by, options })
  const fetched = await fetchedData(request.data, world)
  const madeSet = await madeData(request.data)
  const read = await collectSamples(loaded, request.data, request, options)
  const { leftOut } = read
  const about = await aboutHash(options, request.data)
  if (leftOut.length > 0) world.say(`${leftOut.length} questions are left out: ${leftOut[0]?.reason}.`)
  const looksBeside = besideVideos(loaded.settings, { by: request.by, options })
  const files = await findBenchFiles(request, benchmark, read.samples, { blind, looksBeside }, world)
  const collected = looksBeside ? { ...read, samples: withSubtitleFiles(read.samples, files.findSubtitles, say) } : read
  if (blind) checkBlind(collected.samples, options)
  const tasks = wantedTasks(benchmark, request, options, collected.samples, files.find, say)
  const replay = request.replay === undefined ? undefined : await replayCalls(`${request.replay}/calls`)
  const { text, wording } = await readJudgeWording(benchmark, request.wording, options)
  const config = protocolConfig(world.config, options, benchmark)
  const runtime = await createRuntime({ ...world, config, replay, fixedIndexes: request.change?.stages ?? {} })
  const { models } = runtime
  const mode = chooseJudgeMode(benchmark, request.judgeMode, blind)
  const opened = await openJudge({ benchmark, judge: request.judge, wording: text, mode, models, say })
  const judge = opened && tasks.has(opened.protocol.task) ? opened : undefined
  if (judge && blind && mode && judge.name !== 'words')
    say(`${judge.name} judges only from the texts: no video is looked at in this run.`)
  const tasksOf = benchmark.tasks.map(task => task.name)
  const prompt = typeof options.prompt === 'string' ? await readPromptFile(resolve(options.prompt), tasksOf) : undefined
  return {
    request,
    world,
    benchmark,
    collected,
    tasks,
    options,
    runtime,
    by: request.by,
    epoch: request.epoch,
    change: request.change,
    settings: runtime.settings,
    replay,
    judge,
    wording,
    wordingText: text,
    mode,
    prompt,
    about,
    prompts: prompt?.prompts,
    redact: redactor(listSecrets(environment)),
    fetched,
    made: madeSet,
    ...files,
    looks: new Map(),
  }
}

// What the judge sees: as wished, else as the benchmark has it; only the texts if no video is shown.
function chooseJudgeMode(
  { name, judge }: Pick<Benchmark, 'name' | 'judge'>,
  wished: JudgeMode | undefined,
  blind: boolean,
): JudgeMode | undefined {
  if (wished !== undefined && !judge?.modes?.includes(wished))
    throw new UsageError(`The judge of ${name} has no mode "${wished}".`, {
      hint: `Modes: ${judge?.modes?.join(', ') ?? 'none; leave --judge-mode out'}.`,
    })
  if (!blind || !judge?.modes?.includes('text')) return wished
  if (wished === undefined || wished === 'text') return 'text'
  throw new UsageError(`--judge-mode must be text where no video is shown, not "${wished}".`, {
    hint: 'Leave --judge-mode out, or show frames.',
  })
}

// What the run's environment.json says.
export function describeRun(parts: BenchParts): Omit<BenchRun, 'format' | 'started'> {
  const { request, world, collected, settings, options, mode, wording, prompt, about, fetched, made } = parts
  const { benchmark, data, videos, limit, map, by, judge, flags, change, epoch, epochs = 1 } = request
  const { split } = collected
  return {
    ...environmentNow('bench', { benchmark, split }, world.version),
    profile: parts.runtime.profile,
    benchmark,
    data,
    videos,
    split,
    limit,
    tasks: [...parts.tasks],
    by,
    options,
    judge,
    judgedBy: parts.judge?.name,
    ...(mode !== undefined && { judgeMode: mode }),
    wording,
    prompt: prompt && { file: prompt.file, sha256: prompt.sha256 },
    ...(about !== undefined && { about }),
    ...(map && { map }),
    models: modelNames(settings),
    samples: collected.samples.length,
    dataHash: collected.hash,
    ...(fetched && { fetched }),
    ...(made && { made }),
    settingsHash: contentHash(recordedSettings(settings)),
    flags,
    ...(epoch !== undefined && { epoch }),
    ...(epochs > 1 && { epochs }),
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

// What the protocol says beats the settings if it is about subtitles; whether an answer is demanded is only its default.
export function protocolConfig(
  config: ResolvedConfig,
  { subtitles }: Record<string, unknown>,
  { about: { demandsAnswer } }: Benchmark,
): ResolvedConfig {
  const origin = () => 'the protocol of the benchmark'
  const without = subtitles === false || subtitles === 'none' || subtitles === 'off'
  const before: SettingsLayer[] = demandsAnswer
    ? [{ name: 'install', values: { answer: { always: true } }, place: origin }]
    : []
  const after: SettingsLayer[] = without
    ? [{ name: 'flag', values: { index: { subtitles: 'ignore' } }, place: origin }]
    : []
  return { ...config, layers: [...before, ...config.layers, ...after] }
}

// The tasks that were named, or all. What needs clips of which not one is there is left out, and that is said.
function wantedTasks(
  benchmark: Benchmark,
  { tasks: named, by }: Pick<BenchRequest, 'tasks' | 'by'>,
  options: Record<string, unknown>,
  samples: readonly Sample[],
  find: (name: string) => VideoFile,
  say: (line: string) => void,
): ReadonlySet<string> {
  const taskNames = benchmark.tasks.map(task => task.name)
  const unknown = named.find(task => !taskNames.includes(task))
  if (unknown !== undefined) throw unknownName(`task of ${benchmark.name}`, unknown, taskNames)
  const revealedTasks = benchmark.tasks.filter(task => isTold(task, options)).map(task => task.name)
  const tasksToRun = (named.length > 0 ? named : taskNames).filter(task => !revealedTasks.includes(task))
  for (const task of revealedTasks)
    if (named.length === 0 || named.includes(task))
      say(`${task} is left out: clues=${String(options.clues)} shows where the clues are.`)
  if (tasksToRun.length === 0)
    throw new UsageError(`--option clues=${String(options.clues)} shows what ${named.join(', ')} asks for.`, {
      hint: 'Name another task with --task, or leave the option out.',
    })
  if (named.length > 0) return new Set(tasksToRun)
  const possible = tasksToRun.filter(task => {
    const clips = samples.flatMap(sample =>
      buildAsks(benchmark, sample, new Set([task]), by).flatMap(ask => (ask.video === sample.video ? [] : [ask.video])),
    )
    return clips.length === 0 || clips.some(clip => isThere(find(clip)))
  })
  for (const task of tasksToRun)
    if (!possible.includes(task)) say(`${task} is left out: the clips of the clues are not there.`)
  return new Set(possible)
}

function isThere(found: VideoFile): boolean {
  return 'path' in found || found.packed === true
}

// Which revision of the data set lies there, if it was fetched by us, and what is other than it was then; that is said.
export async function fetchedData(
  data: string,
  { say, signal }: Pick<BenchWorld, 'say' | 'signal'>,
): Promise<BenchRun['fetched']> {
  const folder = await findVideoRoot(data)
  const lock = await readDataLock(folder)
  if (!lock) return undefined
  const { files, replaced = {}, dataset, commit } = lock
  const old = Object.keys(replaced)
  if (old.length > 0)
    say(
      `An update to ${commit.slice(0, 7)} was stopped: run bench fetch again. Of another revision: ${old.join(', ')}.`,
    )
  const changed = await findChangedFiles(folder, files, signal)
  if (changed.length > 0) say(`Changed since it was fetched, by ${lockName}: ${changed.join(', ')}.`)
  return { dataset, commit, changed: [...changed, ...old] }
}

// How much of a made set people have seen, and their first answers, when a run of it begins.
export async function madeData(data: string): Promise<BenchRun['made']> {
  const set = await readMadeSet(await findVideoRoot(data))
  if (!set) return undefined
  const { items, of = set.counts.kept, humanOfSet: people } = set.reviewed
  return { reviewed: items, of, ...(people && people.answered + people.marked > 0 && { people }) }
}
