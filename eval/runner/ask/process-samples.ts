import type { Turn, Watch } from '../../../src/core/agent.ts'
import { emptyUsage } from '../../../src/core/chat.ts'
import { errorText, InterruptedError, StorageError, UsageError } from '../../../src/core/errors.ts'
import type { AgentRequest, Benchmark } from '../../benchmarks/benchmark.ts'
import { gradeReply } from '../../benchmarks/grades.ts'
import type { AskedBy } from '../../data/asked-by.ts'
import type { Sample } from '../../data/sample.ts'
import { type AskRecord, isUnjudged, type Judgment, type SampleLine } from '../../data/sample-line.ts'
import type { JudgeService } from '../../judges/judge-service.ts'
import type { LineStore } from '../files/line-store.ts'
import type { Agent, AgentVideo, AskResult } from './agent.ts'
import { buildAsks } from './asks-of-sample.ts'
import { VideoPool } from './open-videos.ts'

export interface ReplyToJudge {
  id: string // of the sample
  task: string
  reply: string
  by: string // the judge's name
}

export interface SampleWork extends SampleEvents {
  benchmark: Benchmark
  samples: readonly LocatedSample[]
  tasks: ReadonlySet<string>
  by?: AskedBy // longtake where it is left out
  trajectory: Trajectory
  agent: Agent
  judge?: JudgeService
  judged?(reply: ReplyToJudge): Judgment | undefined // the same reply, as the same judge judged it elsewhere
  store: LineStore
  concurrency: number
  signal: AbortSignal
}

// Who hears of the progress.
interface SampleEvents {
  watch: Watch // stages of indexing
  onSample(line: SampleLine, progress: RunProgress): void
}

// What stands in the earlier turns of a conversation: the references, or the agent's own answers; none: they are left away.
export type Trajectory = 'ideal' | 'free' | 'none'

export interface RunProgress {
  done: number
  total: number
  seconds: number // since this command began
  left?: number // estimated seconds to go
}

// Settles these samples, of one process or as its share: asks what has not been asked, judges what has not been judged, and writes a line for each sample as soon as it is whole.
// What fails is that sample's result, and the run goes on; only wrong settings, a full disk and a signal end it.
export async function processSamples(work: SampleWork): Promise<void> {
  const { store, signal } = work
  const todo = byVideo(work.samples.filter(located => isDue(located, store.lines.get(located.sample.id), work)))
  const videos = new VideoPool(work.agent, work.watch, signal)
  const session = new SampleRunner(work, videos, todo)
  let stopped: unknown
  const samplesLeft = todo.values() // shared by all workers
  const worker = async () => {
    for (const located of samplesLeft) {
      if (stopped !== undefined || signal.aborted) return
      await session.settle(located).catch(error => {
        stopped ??= error
      })
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(work.concurrency, todo.length) }, worker))
  } finally {
    await videos.closeAll()
  }
  if (signal.aborted) throw new InterruptedError('Stopped.', { cause: stopped })
  if (stopped !== undefined) throw stopped
}

// A failed question is asked again, a failed judgment is judged again; everything else is done once.
export function needsWork(line: SampleLine | undefined, { judge }: { judge?: unknown }): boolean {
  return line === undefined || line.error !== undefined || (judge !== undefined && isUnjudged(line))
}

// What waits for a video is only taken up once that is there.
function isDue(located: LocatedSample, line: SampleLine | undefined, work: SampleWork): boolean {
  if (!needsWork(line, work)) return false
  return (
    line?.missing === undefined || buildAsks(work.benchmark, located.sample, work.tasks, work.by).some(isHere(located))
  )
}

function isHere({ locate }: LocatedSample): (ask: AgentRequest) => boolean {
  return ask => 'path' in locate(ask.video)
}

// The samples of a video together, in the order in which the videos first occur.
function byVideo(samples: readonly LocatedSample[]): LocatedSample[] {
  const groups = new Map<string, LocatedSample[]>()
  for (const located of samples)
    groups.set(located.sample.video, [...(groups.get(located.sample.video) ?? []), located])
  return [...groups.values()].flat()
}

class SampleRunner {
  readonly #work: SampleWork
  readonly #videos: VideoPool
  readonly #total: number
  readonly #began = performance.now()
  readonly #lines = new Map<string, Promise<SampleLine>>()
  #done = 0

  constructor(work: SampleWork, videos: VideoPool, todo: readonly LocatedSample[]) {
    this.#work = work
    this.#videos = videos
    this.#total = todo.length
    for (const located of todo)
      for (const { path } of this.#paths(located)) videos.expect(path, located.sample, located.subtitles)
  }

  async settle(located: LocatedSample): Promise<void> {
    const making = this.#line(located)
    this.#lines.set(located.sample.id, making)
    making.catch(() => {})
    const line = await making
    await this.#work.store.append(line)
    for (const { path } of this.#paths(located)) await this.#videos.done(path)
    this.#done++
    const seconds = (performance.now() - this.#began) / 1000
    const asking = Math.max(0, seconds - this.#videos.openingSeconds)
    const secondsLeft = (asking / this.#done) * (this.#total - this.#done) + this.#videos.left()
    this.#work.onSample(line, { done: this.#done, total: this.#total, seconds, left: secondsLeft })
  }

  async #line(located: LocatedSample): Promise<SampleLine> {
    const { benchmark, store, tasks } = this.#work
    const { sample, place } = located
    const began = performance.now()
    const before = store.lines.get(sample.id)
    const asks = buildAsks(benchmark, sample, tasks, this.#work.by)
    const results = await this.#ask(located, asks, before)
    const replies = collectReplies(asks, results)
    const judge = await this.#judge(located, replies, before?.judge)
    const error = results.find(result => result.error !== undefined)?.error
    const isMissing =
      error !== undefined && results.every(result => result.error !== undefined) && !asks.some(isHere(located))
    const line: SampleLine = {
      format: 1,
      id: sample.id,
      place,
      video: sample.cut?.video ?? sample.video,
      duration: before?.duration ?? (await this.#durationOf(located)),
      groups: sample.groups,
      question: sample.question,
      turns: (sample.turns ?? []).map(turn => ({ question: turn.question.text, answer: turn.reference })),
      reference: sample.reference,
      choice: sample.choice,
      clues: sample.clues,
      modalities: sample.modalities,
      asks: results,
      replies,
      judge,
      grades: {},
      grading: 2,
      error,
      ...(isMissing && { missing: { stated: sample.stated } }),
      seconds: (before?.seconds ?? 0) + (performance.now() - began) / 1000,
      finished: new Date().toISOString(),
    }
    for (const task of Object.keys(replies))
      line.grades[task] = gradeReply(benchmark, sample, task, {
        reply: replies[task],
        judge: judge?.replies ?? {},
      })
    return line
  }

  // Answers that are there from before a stop are taken as they are.
  async #ask(located: LocatedSample, asks: AgentRequest[], before: SampleLine | undefined): Promise<AskRecord[]> {
    const { store, judge } = this.#work
    const earlierRecords = [...(before?.asks ?? []), ...(store.parts.get(located.sample.id) ?? [])]
    const results: AskRecord[] = []
    for (const [i, ask] of asks.entries()) {
      const storedRecord = earlierRecords.findLast(record => record.name === ask.name && record.error === undefined)
      const result = storedRecord ?? (await this.#askOnce(located, ask))
      results.push(result)
      const more = i < asks.length - 1 || judge !== undefined
      if (!storedRecord && more && result.error === undefined) await store.appendPart(located.sample.id, result)
    }
    return results
  }

  async #askOnce(located: LocatedSample, ask: AgentRequest): Promise<AskRecord> {
    const { signal, store } = this.#work
    const { sample } = located
    let began = performance.now()
    const record: AskRecord = {
      name: ask.name,
      tasks: Object.keys(ask.replies),
      question: ask.question,
      evidence: [],
      steps: [],
      frames: [],
      indexed: [],
      usage: emptyUsage,
      seconds: 0,
    }
    const askFile = located.locate(ask.video)
    if ('fault' in askFile) return { ...record, error: askFile.fault }
    try {
      const video = await this.#videos.get(askFile.path)
      const turns = await this.#listTurns(located, video)
      began = performance.now() // indexing is not part of the question
      const key = `${sample.id}-${ask.name}`
      const agentQuestion = { key, sample, ask: ask.name, turns, clues: sample.clues ?? [], signal }
      const result = await video.ask(ask.question, agentQuestion)
      signal.throwIfAborted()
      const frames = await Promise.all(
        result.frames.map(async ({ time, name, row, jpeg }) => ({ time, row, file: await store.frame(name, jpeg) })),
      )
      const seconds = (performance.now() - began) / 1000
      const failed = result.stop === 'failed' && 'a model failed before there was an answer that it stands behind'
      return {
        ...record,
        ...recordFields(result),
        index: video.index,
        frames,
        seconds,
        ...(failed && { error: failed }),
      }
    } catch (error) {
      if (signal.aborted || error instanceof UsageError || error instanceof StorageError) throw error
      return { ...record, seconds: (performance.now() - began) / 1000, error: errorText(error) }
    }
  }

  // In the free trajectory a turn waits for the agent's own answers to the turns before it. An earlier turn that is not a sample
  // of its own is asked here; its calls are kept, so that it is not paid for again after a stop.
  async #listTurns({ sample }: LocatedSample, video: AgentVideo): Promise<Turn[]> {
    const { benchmark, trajectory, store, signal } = this.#work
    if (trajectory === 'none') return []
    const turns = (sample.turns ?? []).map(({ question, reference }): Turn => ({ question, reference }))
    if (trajectory === 'ideal' || turns.length === 0) return turns
    const ownTurns: Turn[] = []
    for (const [i, { question, id: earlier }] of (sample.turns ?? []).entries()) {
      if (earlier !== undefined) {
        const line = store.lines.get(earlier) ?? (await this.#lines.get(earlier))
        ownTurns.push({ question, answer: ownAnswer(line, benchmark) })
        continue
      }
      const ask = `turn-${i + 1}`
      const more = { key: `${sample.id}-${ask}`, sample, ask, turns: [...ownTurns], clues: [], signal }
      const { answer, evidence } = await video.ask(question, more)
      const cited = new Set(answer.sentences.flatMap(sentence => sentence.cites))
      ownTurns.push({ question, answer, evidence: evidence.filter(row => cited.has(row.id)) })
    }
    return ownTurns
  }

  async #judge(
    { sample, locate }: LocatedSample,
    replies: SampleLine['replies'],
    before: Judgment | undefined,
  ): Promise<Judgment | undefined> {
    const { judge, signal } = this.#work
    if (!judge?.protocol.judges(sample)) return before
    const { task } = judge.protocol
    const reply = replies[task]
    if (reply === undefined || reply === null) return undefined
    if (before && Object.keys(before.failed).length === 0) return before
    const earlierJudgment = this.#work.judged?.({ id: sample.id, task, reply, by: judge.name })
    if (earlierJudgment) return earlierJudgment
    const judgedFile = locate(sample.cut?.video ?? sample.video) // its times are those of the whole video
    const sight =
      'path' in judgedFile
        ? async () => (await this.#videos.get(judgedFile.path)).sight()
        : () => Promise.reject(new UsageError(judgedFile.fault))
    return judge.judge({ sample, reply, before, sight, signal })
  }

  async #durationOf({ sample, locate }: LocatedSample): Promise<number | undefined> {
    const sampleFile = locate(sample.video)
    if ('fault' in sampleFile) return undefined
    return (await this.#videos.get(sampleFile.path).catch(() => undefined))?.duration
  }

  #paths({ sample, locate }: LocatedSample): { path: string }[] {
    const names = new Set([
      sample.video,
      ...(sample.cut && this.#work.judge ? [sample.cut.video] : []),
      ...buildAsks(this.#work.benchmark, sample, this.#work.tasks, this.#work.by).map(ask => ask.video),
    ])
    return [...names].flatMap(name => {
      const namedFile = locate(name)
      return 'path' in namedFile ? [namedFile] : []
    })
  }
}

// What was said to the question; calls of tools that were asked for on their own are not an answer.
function ownAnswer(line: SampleLine | undefined, { toolUse }: Benchmark): AskRecord['answer'] {
  const asks = line?.asks ?? []
  return (asks.find(({ tasks }) => tasks.some(task => task !== toolUse?.task)) ?? asks[0])?.answer
}

function recordFields({ answer, evidence, steps, usage, stop, indexed }: AskResult): Partial<AskRecord> {
  const cited = new Set(answer.sentences.flatMap(sentence => sentence.cites))
  return {
    answer,
    usage,
    stop,
    indexed,
    steps: steps.map(({ text: _, ...step }) => step),
    evidence: evidence.map(({ id, span, track, text, by }) => ({
      id,
      span,
      track,
      text: text.length > 300 ? `${text.slice(0, 299)}…` : text,
      by,
      cited: cited.has(id),
    })),
  }
}

function collectReplies(asks: readonly AgentRequest[], results: readonly AskRecord[]): SampleLine['replies'] {
  const replies: SampleLine['replies'] = {}
  for (const ask of asks) {
    const { answer, evidence = [], steps = [], error } = results.find(result => result.name === ask.name) ?? {}
    for (const [task, reply] of Object.entries(ask.replies))
      replies[task] = answer && error === undefined ? reply({ answer, evidence, steps }) : null
  }
  return replies
}

// A sample with its place in the data, and where its video lies.
export interface LocatedSample {
  sample: Sample
  place: number
  locate(video: string): { path: string } | { fault: string } // also for clips that a question of this sample is about
  subtitles?: string // a file
}
