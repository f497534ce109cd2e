import { recordedSettings } from '../../src/config/recorded-settings.ts'
import type { Watch } from '../../src/core/agent.ts'
import type { Price } from '../../src/core/chat.ts'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { formatTime } from '../../src/core/time.ts'
import type { Video } from '../../src/core/video.ts'
import type { Trust } from '../../src/media/file/file-look.ts'
import { localFile } from '../../src/media/file/local-file.ts'
import { decodeFrames } from '../../src/media/frames.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { checkPlanner } from '../../src/runtime/ask/open-agent.ts'
import { recognise } from '../../src/runtime/index/content/identify.ts'
import { makesNoIndex, missingStages } from '../../src/runtime/index/forecast/planned-stages.ts'
import { chooseTrust } from '../../src/runtime/index/plan-stages.ts'
import { modelDigests } from '../../src/runtime/models/digests.ts'
import { rolePrices } from '../../src/runtime/models/prices.ts'
import { isSelfContained } from '../../src/runtime/models/role-families.ts'
import { builtIn, listPermissions, openToolbox } from '../../src/runtime/tools/toolbox.ts'
import type { Library } from '../../src/store/library/library.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { VideoFile } from '../data/find-videos.ts'
import type { Sample } from '../data/sample.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { checkTakes } from '../protocols/native.ts'
import { isBlind } from '../protocols/show.ts'
import { checkBeforeRun, isAskable, type Preflight } from '../runner/preflight.ts'
import { type LocatedSample, needsWork, type RunProgress } from './ask/process-samples.ts'
import { runSamples } from './ask/run-samples.ts'
import { type BenchParts, describeRun, modelNames, openParts } from './bench-parts.ts'
import type { BenchRequest } from './bench-request.ts'
import { type BenchResult, conclude } from './conclude.ts'
import { type Forecast, forecast } from './cost/forecast.ts'
import { openSeeing } from './cost/open-seeing.ts'
import { type ShownCost, shownCost, type VideoLook } from './cost/shown-cost.ts'
import { pastQuestions } from './files/past-runs.ts'
import { type BenchRun, newRunFiles, openRunFiles, type RunFiles, readLines } from './files/run-files.ts'
import { refuseOther } from './files/run-folder.ts'
import { withCutClips } from './find-files.ts'

// A benchmark run in steps, so that the caller can look before anything is spent. Close it at the end.
export interface Bench {
  benchmark: Benchmark
  profile: { name: string; why: string }
  judge?: string
  samples: number
  check(onVideo: (done: number, total: number) => void): Promise<Preflight>
  forecast(checked: Preflight): Promise<Forecast>
  openFiles(checked: Preflight): Promise<RunFiles>
  run(files: RunFiles, progress: BenchProgress, elsewhere?: Elsewhere): Promise<BenchResult>
  close(): Promise<void>
}

export interface BenchProgress {
  watch: Watch
  onSample(line: SampleLine, progress: RunProgress): void
}

// Who settles the samples of a run in the place of this process; every line of them ends in `files`.
export type Elsewhere = (work: ElsewhereWork) => Promise<void>

export interface ElsewhereWork extends BenchProgress {
  parts: BenchParts
  files: RunFiles
  samples: readonly LocatedSample[] // in the order of the data
}

export async function openBench(request: BenchRequest, world: BenchWorld): Promise<Bench> {
  const opened = await openParts(request, world)
  const { benchmark, runtime, judge, collected } = opened
  // A tool that cannot be used is an error before anything is asked.
  if (request.by === 'agent') {
    const { settings } = opened
    await checkPlanner(settings.graph, async () => (await runtime.models.open('planner')).service)
    checkToolUse(opened, (await openToolbox(runtime.models, settings.tools, listPermissions(settings))).tools)
  }
  if (request.by === 'model') await checkTakes(opened.options, runtime.models)
  // Cutting takes long, so it comes after all that may be refused.
  const parts = { ...opened, ...(await withCutClips(collected.samples, opened, request, world)) }
  return {
    benchmark,
    profile: runtime.profile,
    judge: judge?.name,
    samples: collected.samples.length,
    check: onVideo => check(parts, onVideo),
    forecast: checked => forecastRun(parts, checked),
    openFiles: checked =>
      request.resume === undefined ? newFiles(parts, checked) : resumedFiles(parts, request.resume),
    run: (files, progress, elsewhere) => run(parts, files, progress, elsewhere),
    close: () => runtime.close(),
  }
}

function check(parts: BenchParts, onVideo: (done: number, total: number) => void) {
  const { collected, find, findSubtitles, runtime, settings } = parts
  const { signal } = parts.world
  const examine = async (path: string) => {
    const { look, ...examined } = await examineVideo(runtime.library, path, chooseTrust(settings.index), signal)
    parts.looks.set(path, look)
    return examined
  }
  return checkBeforeRun({ ...collected, find, findSubtitles, ...(!isBlind(parts) && { examine }), onVideo, signal })
}

async function forecastRun(parts: BenchParts, checked: Preflight): Promise<Forecast> {
  const { benchmark, tasks, judge, runtime, settings, world, request } = parts
  const { samples, unjudged } = await samplesLeft(parts)
  return forecast({
    benchmark,
    samples,
    unjudged,
    tasks,
    by: request.by,
    checked,
    judge,
    missingStages: (await makesNoIndex(settings))
      ? async () => []
      : missingStages(runtime.library, runtime.models, settings.index, request.change?.stages),
    past: await pastQuestions(world.home, modelNames(settings)),
    prices: listPrices(parts),
    ...(request.by === 'model' && {
      shown: await measureShown(
        parts,
        samples.filter(({ id }) => !unjudged.has(id)),
        checked,
      ),
    }),
    ...(request.by === 'agent' && (await costlyParts(settings, runtime.models))),
    concurrency: request.concurrency,
  })
}

// What a run has settled before costs nothing more.
async function samplesLeft({ collected, request, judge }: BenchParts) {
  const earlierLines = request.resume === undefined ? [] : await readLines(request.resume)
  const lines = new Map(earlierLines.map(line => [line.id, line]))
  const samples = collected.samples.filter(({ id }) => needsWork(lines.get(id), { judge }))
  return { samples, unjudged: new Set(samples.flatMap(({ id }) => (needsWork(lines.get(id), {}) ? [] : [id]))) }
}

// Of the questions that can be asked. Where no video was looked into, pictures are taken to be of the usual shape.
async function measureShown(parts: BenchParts, samples: readonly Sample[], checked: Preflight): Promise<ShownCost> {
  const { benchmark, options, tasks, settings, findSubtitles, looks } = parts
  const askableVideos = new Map(checked.videos.filter(isAskable).map(video => [video.video, video]))
  const { backend, model } = settings.models.vision
  return shownCost({
    benchmark,
    options,
    tasks,
    samples: samples.filter(sample => askableVideos.has(sample.video)),
    model: `${backend}/${String(model ?? '')}`,
    lookOf: name => {
      const { path = '', duration } = askableVideos.get(name) ?? {}
      return { ...(duration !== undefined && { seconds: duration }), ...looks.get(path) }
    },
    subtitlesOf: name => readPath(findSubtitles(name)),
  })
}

// What bounds a question, and what of the agent asks models more than once for a thing.
async function costlyParts(settings: BenchParts['settings'], models: BenchParts['runtime']['models']) {
  const { policy, budget, tools, graph } = settings
  const isRule = async (role: 'planner' | 'writer') => isSelfContained(role, settings.models[role].backend)
  const [rulesPlan, rulesWrite] = await Promise.all([isRule('planner'), isRule('writer')])
  const on = {
    votes: policy.votes && !rulesPlan && !rulesWrite,
    focus: builtIn(tools, listPermissions(settings)).includes('focus') && !rulesPlan,
    lookItself: policy.lookItself && (await openSeeing(models, 'planner')) !== undefined,
  }
  const all = ['votes', 'focus', 'lookItself'] as const
  const names = all.filter(name => graph === 'investigate' && on[name])
  return { parts: names, ...(policy.budgets && names.length > 0 ? { budget } : {}) }
}

function listPrices({ settings, request }: BenchParts): { asking: Price[]; judging?: Price } {
  const prices = rolePrices(settings)
  const neededRoles =
    request.by === 'model' ? (['vision'] as const) : (['planner', 'writer', 'verifier', 'vision'] as const)
  return { asking: neededRoles.flatMap(role => prices[role] ?? []), judging: prices.judge }
}

async function newFiles(parts: BenchParts, checked: Preflight): Promise<RunFiles> {
  const { request, world, settings, redact } = parts
  const digests = await collectDigests(parts)
  const run = { ...describeRun(parts), ...(Object.keys(digests).length > 0 && { digests }) }
  const files = await newRunFiles({
    home: world.home,
    out: request.out,
    run,
    config: recordedSettings(settings),
    redact,
  })
  await files.json('preflight.json', checked)
  return files
}

// Of the models that it will ask; a replay asks none.
async function collectDigests({
  request,
  settings,
  judge,
  replay,
  runtime,
}: BenchParts): Promise<Record<string, string>> {
  if (replay) return {}
  const { judge: judging, vision, ...others } = settings.models
  const askedModels = request.by === 'model' ? { vision } : { vision, ...others }
  return modelDigests({ ...askedModels, ...(judge && judge.name !== 'words' && { judge: judging }) }, runtime.host)
}

// The results of one run must all be of the same agent on the same data.
async function resumedFiles(parts: BenchParts, folder: string): Promise<RunFiles> {
  const { redact } = parts
  const files = await openRunFiles(folder, redact)
  const [before, now] = [files.run.digests ?? {}, await collectDigests(parts)]
  const compared = {
    before: { ...identity(files.run), digests: rolesIn(now, before) },
    now: { ...identity(describeRun(parts)), digests: rolesIn(before, now) },
    settings: redact(recordedSettings(parts.settings)),
  }
  await refuseOther(files, 'run', compared, 'Give the same data and settings, or begin a new run.')
  return files
}

// A digest that was not told then, or is not now, says nothing.
function rolesIn(others: object, digests: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(digests).filter(([role]) => role in others))
}

function identity(run: Omit<BenchRun, 'format' | 'started'>): object {
  const {
    benchmark,
    split,
    limit,
    tasks,
    by,
    options,
    judgedBy,
    wording,
    prompt,
    dataHash,
    version,
    change,
    about,
    map,
  } = run
  return {
    benchmark,
    split,
    limit,
    by,
    options,
    judgedBy,
    prompt: prompt?.sha256,
    version,
    data: dataHash,
    wording: wording?.sha256,
    about,
    change,
    map,
    tasks: tasks.join(' '),
  }
}

async function run(
  parts: BenchParts,
  files: RunFiles,
  { watch, onSample }: BenchProgress,
  elsewhere?: Elsewhere,
): Promise<BenchResult> {
  const { collected, find, findSubtitles, replay, request } = parts
  const samples = collected.samples.map((sample, place) => ({
    sample,
    place,
    locate: find,
    subtitles: readPath(sample.subtitles === undefined ? undefined : findSubtitles(sample.subtitles)),
  }))
  const sampleWork = { samples, store: files, folder: files.folder, concurrency: request.concurrency, watch, onSample }
  // Workers hold videos; a question without one is asked from here.
  const isCut = collected.samples.some(sample => sample.cut)
  const isHere = isBlind(parts) || isCut
  if (elsewhere && isHere)
    parts.world.say(
      `${isCut ? 'Clips are cut on this machine' : 'No video is shown'}, so nothing is put on the queue: the questions are asked here.`,
    )
  if (elsewhere && !isHere) await elsewhere({ parts, files, samples, watch, onSample })
  else await runSamples(parts, sampleWork)
  const miss = replay?.miss()
  if (miss) throw miss
  return conclude(parts, files)
}

function readPath(found: VideoFile | undefined): string | undefined {
  return found && 'path' in found ? found.path : undefined
}

const late = 10 // seconds that the last picture may come before the end

// Whether a video can be read in the middle and at its end, not only at its head. Writes nothing; throws where it is not a video.
async function examineVideo(
  library: Library,
  path: string,
  trust: Trust,
  signal: AbortSignal,
): Promise<{ duration: number; faults: string[]; look: VideoLook }> {
  const file = await localFile(path)
  const id = await recognise(library, file, { trust, watch: () => {}, signal })
  const knownVideo = id === undefined ? undefined : await library.find(id)
  const video = knownVideo ? { ...knownVideo, path: file.path } : await probe(path)
  const { width, height, frameRate } = video.picture ?? {}
  const look = { seconds: video.duration, width, height, framesPerSecond: frameRate }
  if (!video.picture) return { duration: video.duration, faults: [], look }
  const end = Math.max(0, video.duration - 1)
  const faults = [await faultAt(video, video.duration / 2, signal), await faultAt(video, end, signal)]
  return { duration: video.duration, faults: [...new Set(faults.filter(fault => fault !== undefined))], look }
}

async function faultAt(video: Video, time: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    const [frame] = await decodeFrames(video, [time], { width: 64 }, signal)
    const end = frame?.time ?? 0
    if (end < time - late) return `The picture ends at ${formatTime(end)} of ${formatTime(video.duration)}.`
  } catch (error) {
    signal.throwIfAborted()
    return errorText(error)
  }
}

// The calls of an agent that lacks the tools which the data expect are wrong before it begins.
function checkToolUse(
  { benchmark: { toolUse }, tasks, collected, settings }: BenchParts,
  there: readonly { name: string }[],
): void {
  if (!toolUse || !tasks.has(toolUse.task)) return
  const expected = new Set(collected.samples.flatMap(sample => toolUse.expected(sample)))
  const names = new Set(there.map(tool => tool.name))
  const otherTools = builtIn({ ...settings.tools, sets: toolUse.set }, listPermissions(settings))
  const missing = otherTools.filter(name => expected.has(name) && !names.has(name))
  if (missing.length === 0) return
  const firstMissing = missing.slice(0, 5).join(', ')
  throw new UsageError(
    `The task "${toolUse.task}" expects calls of ${firstMissing}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}, which the agent does not have.`,
    { hint: `Give it the tools with --set tools.sets=${toolUse.set}, or leave the task out with --task.` },
  )
}
