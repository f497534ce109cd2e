import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { loadBenchmark } from '../../../eval/benchmarks/index.ts'
import { checkedWording, protocolOf } from '../../../eval/judges/index.ts'
import { type JudgeService, modelJudge, wordsJudge } from '../../../eval/judges/judge-service.ts'
import type { Protocol } from '../../../eval/judges/protocol.ts'
import { asksOf } from '../../../eval/run/asks.ts'
import { type Collected, collectSamples } from '../../../eval/run/collect-samples.ts'
import { settingsThatDiffer } from '../../../eval/run/compare-settings.ts'
import { type Found, videoFinder } from '../../../eval/run/find-videos.ts'
import { type Forecast, forecast } from '../../../eval/run/forecast.ts'
import { isUnjudged, type SampleLine } from '../../../eval/run/line.ts'
import { readOptions } from '../../../eval/run/options.ts'
import { pastQuestions, type Spent } from '../../../eval/run/past-runs.ts'
import { type Preflight, preflight } from '../../../eval/run/preflight.ts'
import { type RunProgress, runBenchmark } from '../../../eval/run/run-benchmark.ts'
import { type BenchRun, newRunFiles, openRunFiles, type RunFiles, readJson } from '../../../eval/run/run-files.ts'
import { replyLines, scoreRun } from '../../../eval/run/score-run.ts'
import { type ResolvedConfig, withProfile } from '../../config/resolve.ts'
import type { Config } from '../../config/schema.ts'
import type { Watch } from '../../core/agent.ts'
import type { Host } from '../../core/backend.ts'
import type { Benchmark, Scores } from '../../core/benchmark.ts'
import { UsageError, unknownName } from '../../core/errors.ts'
import { contentHash } from '../../core/hash.ts'
import { openCalls, recordingChat } from '../../store/calls.ts'
import { type Library, openLibrary } from '../../store/library.ts'
import { redactor } from '../../store/redact.ts'
import { Models } from '../models.ts'
import { chooseProfile } from '../profile.ts'
import { secretsOf } from '../run.ts'
import { benchAgent } from './agent.ts'
import { examineVideo } from './examine-video.ts'
import { missingStages } from './missing-stages.ts'

export type JudgeChoice = 'auto' | 'model' | 'words' | 'off'

export interface BenchRequest {
  benchmark: string
  data: string // absolute
  videos?: string // absolute
  split?: string
  limit?: number
  tasks: string[] // none: all that can be asked
  options: string[] // "name=value"
  judge: JudgeChoice
  wording?: string // absolute
  concurrency: number
  out?: string
  resume?: string // the folder of a run
  flags: BenchRun['flags']
}

export interface BenchWorld {
  config: ResolvedConfig
  home: string
  environment: Readonly<Record<string, string | undefined>>
  version: string
  say(line: string): void
  signal: AbortSignal
}

export interface BenchResult {
  folder: string
  run: BenchRun
  lines: SampleLine[]
  scores: Record<'strict' | 'official', Scores>
  failed: number
  unjudged: number
}

export interface BenchProgress {
  watch: Watch
  onSample(line: SampleLine, progress: RunProgress): void
}

// A benchmark run in steps, so that whoever starts it can look before anything is spent. Close it at the end.
export class BenchSession {
  readonly benchmark: Benchmark
  readonly profile: { name: string; why: string }
  readonly judge?: JudgeService
  readonly tasks: ReadonlySet<string>
  readonly collected: Collected
  readonly #request: BenchRequest
  readonly #world: BenchWorld
  readonly #settings: Config
  readonly #models: Models
  readonly #library: Library
  readonly #options: Record<string, unknown>
  readonly #find: (name: string) => Found
  readonly #findSubtitles: (name: string) => Found
  readonly #wording?: BenchRun['wording']

  private constructor(parts: SessionParts) {
    this.benchmark = parts.benchmark
    this.profile = parts.profile
    this.judge = parts.judge
    this.tasks = parts.tasks
    this.collected = parts.collected
    this.#request = parts.request
    this.#world = parts.world
    this.#settings = parts.settings
    this.#models = parts.models
    this.#library = parts.library
    this.#options = parts.options
    this.#find = parts.find
    this.#findSubtitles = parts.findSubtitles
    this.#wording = parts.wording
  }

  static async open(request: BenchRequest, world: BenchWorld): Promise<BenchSession> {
    const benchmark = await loadBenchmark(request.benchmark)
    const options = readOptions(benchmark, request.options)
    const host: Host = {
      folder: `${world.home}/models`,
      environment: world.environment,
      signal: world.signal,
      say: world.say,
    }
    const profile = await chooseProfile(world.config.settings.profile, host)
    const settings = protocolSettings(withProfile(world.config, profile.name).settings, options)
    const models = new Models(settings.models, host)
    const collected = await collectSamples(benchmark, request.data, request)
    const find = await videoFinder(request.data, request.videos)
    const findSubtitles = request.videos ? either(find, await videoFinder(request.data)) : find
    const tasks = wantedTasks(benchmark, request, collected, find, world.say)
    const { text, wording } = await readWording(request.benchmark, wordingFile(request, options))
    const judge = await openJudge({ request, models, tasks, text, say: world.say })
    const library = openLibrary(world.home)
    return new BenchSession({
      benchmark,
      profile,
      judge,
      tasks,
      collected,
      request,
      world,
      settings,
      models,
      library,
      options,
      find,
      findSubtitles,
      wording,
    })
  }

  check(onVideo: (done: number, total: number) => void): Promise<Preflight> {
    const { signal } = this.#world
    return preflight({
      ...this.collected,
      find: this.#find,
      findSubtitles: this.#findSubtitles,
      examine: path => examineVideo(this.#library, path, signal),
      onVideo,
      signal,
    })
  }

  async forecast(checked: Preflight): Promise<Forecast> {
    return forecast({
      benchmark: this.benchmark.name,
      samples: this.collected.samples,
      tasks: this.tasks,
      checked,
      judge: this.judge,
      missingStages: missingStages(this.#library, this.#models, this.#settings.index),
      pastQuestions: await pastQuestions(this.#world.home, await this.#modelNames()),
      concurrency: this.#request.concurrency,
    })
  }

  async openFiles(checked: Preflight): Promise<RunFiles> {
    const redact = redactor(secretsOf(this.#world.environment))
    const { resume, out } = this.#request
    const run = await this.#description()
    if (resume === undefined) {
      const files = await newRunFiles({ home: this.#world.home, out, run, config: this.#settings, redact })
      await files.json('preflight.json', checked)
      return files
    }
    const files = await openRunFiles(resume, redact)
    const config = await readJson(join(resume, 'config.json'))
    const differences = [
      ...settingsThatDiffer(comparable(files.run), comparable(run)),
      ...settingsThatDiffer(config, redact(this.#settings)),
    ]
    if (differences.length === 0) return files
    files.close()
    throw new UsageError(`This is another run than the one in ${resume}: ${differences.slice(0, 3).join('; ')}.`, {
      hint: 'Give the same data and settings, or begin a new run.',
    })
  }

  async run(files: RunFiles, progress: BenchProgress): Promise<BenchResult> {
    const { signal, environment } = this.#world
    const redact = redactor(secretsOf(environment))
    const { folder } = files
    await runBenchmark({
      benchmark: this.benchmark.name,
      samples: this.collected.samples.map((sample, place) => ({
        sample,
        place,
        locate: this.#find,
        subtitles: pathOf(sample.subtitles === undefined ? undefined : this.#findSubtitles(sample.subtitles)),
      })),
      tasks: this.tasks,
      trajectory: this.#options.trajectory === 'free' ? 'free' : 'ideal',
      agent: benchAgent({ library: this.#library, models: this.#models, settings: this.#settings, folder, redact }),
      judge: this.#recordedJudge(files),
      files,
      concurrency: this.#request.concurrency,
      watch: progress.watch,
      onSample: progress.onSample,
      signal,
    })
    return this.#conclude(files)
  }

  async close(): Promise<void> {
    await this.#models.close()
  }

  #recordedJudge({ folder }: RunFiles): JudgeService | undefined {
    if (!this.judge?.chat) return this.judge
    const calls = openCalls(join(folder, 'calls', 'judge'), redactor(secretsOf(this.#world.environment)))
    return modelJudge(this.judge.protocol, recordingChat(this.judge.chat, calls), this.judge.wording)
  }

  async #conclude(files: RunFiles): Promise<BenchResult> {
    const lines = await files.tidy()
    const { samples } = this.collected
    const { benchmark, data, split } = this.#request
    const toScore = { benchmark, data, split, samples, lines }
    const score = await scoreRun(toScore)
    const scores = { strict: await score('strict'), official: await score('official').catch(withoutOfficial) }
    await files.text(
      'replies.jsonl',
      replyLines(toScore)
        .map(line => `${line}\n`)
        .join(''),
    )
    await files.json('scores.json', scores)
    const failed = lines.filter(line => line.error !== undefined).length
    const unjudged = lines.filter(isUnjudged).length
    const spent = spentBy(lines)
    await files.json('summary.json', {
      state: 'finished',
      benchmark,
      samples: lines.length,
      failed,
      unjudged,
      spent,
      scores: { strict: scores.strict.metrics, official: scores.official.metrics },
    })
    return { folder: files.folder, run: files.run, lines, scores, failed, unjudged }
  }

  async #description(): Promise<Omit<BenchRun, 'format' | 'started'>> {
    const { benchmark, data, videos, split, limit, judge, flags } = this.#request
    return {
      kind: 'bench',
      name: `bench ${benchmark}${split ? ` ${split}` : ''}`,
      version: this.#world.version,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      profile: this.profile,
      benchmark,
      data,
      videos,
      split,
      limit,
      tasks: [...this.tasks],
      options: this.#options,
      judge,
      judgedBy: this.judge?.name,
      wording: this.#wording,
      models: await this.#modelNames(),
      samples: this.collected.samples.length,
      dataHash: this.collected.hash,
      settingsHash: contentHash(this.#settings),
      flags,
    }
  }

  async #modelNames(): Promise<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(this.#settings.models).map(([role, { backend, model }]) => [
        role,
        model === undefined ? backend : `${backend}/${String(model)}`,
      ]),
    )
  }
}

interface SessionParts {
  benchmark: Benchmark
  profile: { name: string; why: string }
  judge?: JudgeService
  tasks: ReadonlySet<string>
  collected: Collected
  request: BenchRequest
  world: BenchWorld
  settings: Config
  models: Models
  library: Library
  options: Record<string, unknown>
  find: (name: string) => Found
  findSubtitles: (name: string) => Found
  wording?: BenchRun['wording']
}

// Where the protocol says without subtitles, those that lie beside the videos are not used either.
function protocolSettings(settings: Config, { subtitles }: Record<string, unknown>): Config {
  if (subtitles !== false && subtitles !== 'none') return settings
  return { ...settings, index: { ...settings.index, subtitles: 'ignore' } }
}

// All tasks of the benchmark, or those that were named. What needs clips that are not there is left out and said.
function wantedTasks(
  benchmark: Benchmark,
  { tasks: named }: BenchRequest,
  { samples }: Collected,
  find: (name: string) => Found,
  say: (line: string) => void,
): ReadonlySet<string> {
  const known = benchmark.tasks.map(task => task.name)
  const unknown = named.find(task => !known.includes(task))
  if (unknown !== undefined) throw unknownName(`task of ${benchmark.name}`, unknown, known)
  if (named.length > 0) return new Set(named)
  const possible = known.filter(task => {
    const videos = samples.flatMap(sample =>
      asksOf(benchmark.name, sample, new Set([task])).map(ask => [ask.video, sample.video]),
    )
    const clips = videos.filter(([asked, whole]) => asked !== whole)
    return clips.length === 0 || clips.some(([clip]) => 'path' in find(clip))
  })
  for (const task of known)
    if (!possible.includes(task)) say(`${task} is left out: the clips of the clues are not there.`)
  return new Set(possible)
}

async function openJudge(work: {
  request: BenchRequest
  models: Models
  tasks: ReadonlySet<string>
  text?: string
  say(line: string): void
}): Promise<JudgeService | undefined> {
  const { request, models, tasks, text, say } = work
  const protocol = await protocolOf(request.benchmark)
  if (!protocol || !tasks.has(protocol.task) || request.judge === 'off') return undefined
  if (request.judge === 'words') return wordsJudge(protocol)
  if (request.judge === 'auto' && models.isOff('judge')) {
    say('models.judge is off: open answers are judged by words, which is not the judge of the protocol.')
    return wordsJudge(protocol)
  }
  return openModelJudge(protocol, models, text)
}

export async function openModelJudge(protocol: Protocol, models: Models, wording?: string): Promise<JudgeService> {
  const { service } = await models.open('judge')
  return modelJudge(protocol, service, wording)
}

// Some benchmarks name a file of wording among their settings too.
function wordingFile({ wording, data }: BenchRequest, options: Record<string, unknown>): string | undefined {
  const named = options.judgePrompt ?? options.judgeSystem ?? options.wording
  return wording ?? (typeof named === 'string' ? join(dirname(data), basename(named)) : undefined)
}

export async function readWording(
  benchmark: string,
  file: string | undefined,
): Promise<{ text?: string; wording?: BenchRun['wording'] }> {
  if (file === undefined) return {}
  const there = await stat(file).catch(() => undefined)
  if (!there?.isFile()) throw new UsageError(`There is no file at ${file}.`, { hint: 'Name the file of the wording.' })
  const text = await readFile(file, 'utf8')
  const { released } = await checkedWording(benchmark, text, file)
  return { text, wording: { file, sha256: createHash('sha256').update(text).digest('hex'), released } }
}

function either(first: (name: string) => Found, second: (name: string) => Found): (name: string) => Found {
  return name => {
    const found = first(name)
    return 'path' in found ? found : second(name)
  }
}

function pathOf(found: Found | undefined): string | undefined {
  return found && 'path' in found ? found.path : undefined
}

// What a resumed run must share with its beginning, settings aside.
function comparable({
  benchmark,
  split,
  limit,
  tasks,
  options,
  judgedBy,
  wording,
  dataHash,
  version,
}: Omit<BenchRun, 'format' | 'started'>): object {
  return {
    benchmark,
    split,
    limit,
    tasks: tasks.join(' '),
    options,
    judgedBy,
    wording: wording?.sha256,
    dataHash,
    version,
  }
}

function spentBy(lines: readonly SampleLine[]): Spent {
  const asks = lines.flatMap(line => line.asks).filter(ask => ask.error === undefined)
  const sum = (of: (ask: (typeof asks)[number]) => number) => asks.reduce((total, ask) => total + of(ask), 0)
  return {
    questions: asks.length,
    seconds: sum(ask => ask.seconds),
    calls: sum(ask => ask.usage.calls),
    tokens: sum(ask => ask.usage.inputTokens + ask.usage.outputTokens),
  }
}

// The released scorer of LongShOTBench stops on samples that it cannot read; strict scoring stands all the same.
function withoutOfficial(error: unknown): Scores {
  if (!(error instanceof UsageError)) throw error
  return {
    benchmark: '',
    scoring: 'official',
    n: 0,
    metrics: {},
    groups: {},
    excluded: [{ id: '', reason: error.message }],
  }
}
