import { basename, join } from 'node:path'
import { asksWithoutIndex } from '../../../../graphs/index.ts'
import type { RunEvent } from '../../../../src/core/agent.ts'
import type { ForkSettings, IndexDone, JobRecord } from '../../../../src/core/api/job.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
import { stableJson } from '../../../../src/core/json.ts'
import type { AskOptions, AskReport, OpenVideo } from '../../../../src/core/runtime.ts'
import type { Video } from '../../../../src/core/video.ts'
import { askInSession, keepTurn } from '../../../../src/runtime/ask/ask-in-session.ts'
import { finishedIndex, listMissingStages } from '../../../../src/runtime/index/finished-index.ts'
import { readGraphName, runRecord } from '../../../../src/runtime/runs/run-record.ts'
import { createRuntime, type LocalRuntime } from '../../../../src/runtime/runtime.ts'
import { listSecrets, redactor } from '../../../../src/store/redact.ts'
import type { JobStore } from '../../../../src/store/serve/jobs.ts'
import type { SessionStore } from '../../../../src/store/sessions.ts'
import { requireVideo, unmovedPath } from '../videos/find-video.ts'
import type { Listed } from '../videos/listed-index.ts'
import type { ServedVideos } from '../videos/open-videos.ts'
import { answeringConfig, forkBudget, forkedConfig } from './fork-settings.ts'
import type { HeldJob } from './held-job.ts'
import { indexInChild } from './index-job.ts'
import type { JobLane } from './lane.ts'

export interface JobParts {
  home: string
  runtime: LocalRuntime
  program: readonly string[] // that starts longtake
  environment: Readonly<Record<string, string | undefined>>
  store: JobStore
  sessions: SessionStore
  open: ServedVideos
  listed(video: Video): Promise<Listed>
  asks: JobLane
  indexing: JobLane
}

type Fork = NonNullable<JobRecord['fork']>

export interface JobWork {
  job: HeldJob
  begin(): Promise<void> // it is its turn
  began(run: string): Promise<void> // the name of its run
  indexed(): void
  watch(event: RunEvent): void
}

// Makes what is missing of the index, in a process of its own.
export async function indexJob(parts: JobParts, work: JobWork, runtime = parts.runtime): Promise<IndexDone> {
  const { id, video } = work.job.record
  const { signal } = work.job.stop
  work.job.phase = 'indexing'
  return parts.indexing.run(async () => {
    await work.begin()
    const storedVideo = await requireVideo(runtime.library, video.id)
    const path = await unmovedPath(storedVideo)
    const trace = await parts.store.trace(id)
    let writing: Promise<unknown> = Promise.resolve()
    const began = Date.now()
    const watch = (event: RunEvent) => {
      const line = { at: (Date.now() - began) / 1000, ...event }
      writing = writing.then(() => trace.append(line))
      writing.catch(() => {}) // thrown below
      work.watch(event)
    }
    try {
      const { library, models } = runtime
      const plan = await listMissingStages(storedVideo, { library, models, settings: runtime.settings.index, signal })
      for (const { stage } of plan) watch({ type: 'stage', stage, state: 'waiting', total: storedVideo.duration })
      const settings = await parts.store.settings(id, runtime.settings)
      return await indexInChild({ ...parts, settings, path, signal, watch })
    } finally {
      parts.open.forget(video.id)
      await writing
    }
  }, signal)
}

// Answers the question of the job, or goes on with its run.
export async function askJob(parts: JobParts, work: JobWork): Promise<AskReport> {
  const { record, stop } = work.job
  if (record.run !== undefined) return resumeJob(parts, work, record.run)
  if (record.fork) return forkJob(parts, work, record.fork)
  if (record.settings) return askOtherwise(parts, work, record.settings)
  const { question = { text: '' }, session, budget, graph } = record
  if (record.library) return askLibraryJob(parts, work)
  const bare = await asksWithoutIndex(graph ?? parts.runtime.settings.graph)
  if (!bare) await indexFirst(parts, work, parts.runtime)
  return parts.asks.run(async () => {
    work.job.phase = 'asking'
    work.job.doing = undefined
    await work.begin()
    const options = { budget, graph, signal: stop.signal, watch: watchRun(work) }
    const answer = (video: OpenVideo) =>
      session === undefined
        ? video.ask(question, { ...options, turns: work.job.turns })
        : askInSession(parts.sessions, session, video, question, options)
    if (bare) return askBare(parts, work, options, answer)
    const index = await parts.listed(await requireVideo(parts.runtime.library, record.video.id))
    return parts.open.use(record.video.id, 'why' in index ? '' : index.version, answer)
  }, stop.signal)
}

// With other models than those of the server, in a runtime of its own. Its index is that of the server.
async function askOtherwise(parts: JobParts, work: JobWork, settings: ForkSettings): Promise<AskReport> {
  const { home, environment, runtime: own, sessions } = parts
  const { record, stop } = work.job
  const { question = { text: '' }, session, budget, graph } = record
  const config = await answeringConfig(settings, own.settings)
  const runtime = await createRuntime({ home, environment, config, exceeded: () => {} }) // the server's own bound holds
  try {
    if (record.library) return await askLibraryJob({ ...parts, runtime }, work)
    if (!(await asksWithoutIndex(graph ?? own.settings.graph))) await indexFirst(parts, work, own)
    return await parts.asks.run(async () => {
      work.job.phase = 'asking'
      work.job.doing = undefined
      await work.begin()
      const options = { budget, graph, signal: stop.signal, watch: watchRun(work) }
      const video = await runtime.questions.openVideo(record.video.id, { graph, signal: stop.signal })
      try {
        return session === undefined
          ? await video.ask(question, { ...options, turns: work.job.turns })
          : await askInSession(sessions, session, video, question, options)
      } finally {
        await video.close()
      }
    }, stop.signal)
  } finally {
    await runtime.close()
  }
}

// In the best of all videos that have an index; none is made.
function askLibraryJob({ runtime, asks }: JobParts, work: JobWork): Promise<AskReport> {
  const { record, stop } = work.job
  const { question = { text: '' }, within, budget, graph } = record
  return asks.run(async () => {
    work.job.phase = 'asking'
    await work.begin()
    return runtime.allVideos.ask(question, { within, budget, graph, signal: stop.signal, watch: watchRun(work) })
  }, stop.signal)
}

// What is opened without an index is not kept open for others, who may need one.
async function askBare(
  { runtime }: JobParts,
  { job }: JobWork,
  { graph, signal }: Pick<AskOptions, 'graph' | 'signal'>,
  answer: (video: OpenVideo) => Promise<AskReport>,
): Promise<AskReport> {
  const video = await runtime.questions.openVideo(job.record.video.id, { graph, signal })
  try {
    return await answer(video)
  } finally {
    await video.close()
  }
}

async function resumeJob(parts: JobParts, work: JobWork, run: string): Promise<AskReport> {
  const report = await withJobRuntime(parts, work, { run }, (runtime, options) =>
    runtime.questions.resume(run, options),
  )
  await keepTurn(parts.sessions, report)
  return report
}

function forkJob(parts: JobParts, work: JobWork, fork: Fork): Promise<AskReport> {
  const budget = forkBudget(fork.settings)
  return withJobRuntime(parts, work, fork, (runtime, options) =>
    runtime.questions.fork(fork.run, { step: fork.state }, { ...options, budget }),
  )
}

async function withJobRuntime(
  parts: JobParts,
  work: JobWork,
  of: Pick<Fork, 'run'> & Partial<Fork>,
  answer: (runtime: LocalRuntime, options: AskOptions) => Promise<AskReport>,
): Promise<AskReport> {
  const { signal } = work.job.stop
  const { runtime, graph, close } = await openJobRuntime(parts, of, work.job.record.budget)
  try {
    if (!work.job.record.library && !(await asksWithoutIndex(graph))) await indexFirst(parts, work, runtime)
    return await parts.asks.run(async () => {
      work.job.phase = 'asking'
      work.job.doing = undefined
      await work.begin()
      return answer(runtime, { byId: true, signal, watch: watchRun(work) })
    }, signal)
  } finally {
    await close()
  }
}

async function indexFirst(parts: JobParts, work: JobWork, runtime: LocalRuntime): Promise<void> {
  const { video } = work.job.record
  const { library, models, settings } = runtime
  const { signal } = work.job.stop
  const storedVideo = await requireVideo(library, video.id)
  const index = await finishedIndex(storedVideo, { library, models, settings: settings.index, signal })
  if (!('why' in index)) return
  if (index.what === 'changed')
    throw new Refused(
      'changed',
      `${storedVideo.name} has changed since it was indexed.`,
      `POST /api/videos/${video.id}/index`,
    )
  await indexJob(parts, work, runtime)
  work.indexed()
}

// The job knows its run before anything else happens in it.
function watchRun(work: JobWork): (event: RunEvent) => void {
  return event => {
    if (event.type === 'run') work.began(basename(event.run)).catch(() => {}) // the run itself is on disk
    work.watch(event)
  }
}

// A run goes on with the settings that it began with: in the runtime of the server where they are its own.
async function openJobRuntime(
  { home, environment, runtime }: JobParts,
  { run, settings = {} }: Pick<Fork, 'run'> & Partial<Fork>,
  asked: JobRecord['budget'],
): Promise<{ runtime: LocalRuntime; graph: string; close(): Promise<void> }> {
  const record = await runRecord(home, run)
  const { config, folder } = record
  const graph = readGraphName(record) ?? runtime.settings.graph
  const redact = redactor(listSecrets(environment))
  if (Object.keys(settings).length === 0 && stableJson(config) === stableJson(redact(runtime.settings)))
    return { runtime, graph, close: async () => {} }
  const file = join(folder, 'config.json')
  const ownRuntime = await createRuntime({
    home,
    environment,
    config: await forkedConfig({ run, file, asked, settings, own: runtime.settings, environment }),
    exceeded: () => {}, // the server's own bound holds
  })
  return { runtime: ownRuntime, graph, close: () => ownRuntime.close() }
}
