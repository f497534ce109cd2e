import type { Question } from './core/agent.ts'
import { type LinkedSignal, linkSignals } from './core/basics/signals.ts'
import { UsageError } from './core/errors.ts'
import type { Evidence, Track } from './core/evidence.ts'
import type { People } from './core/people.ts'
import type { AskLibraryOptions, AskReport, Fetched, LibrarySearch } from './core/runtime.ts'
import type { Span } from './core/time.ts'
import type { Coverage, Hit, Overview, SearchQuery, Video } from './core/video.ts'
import type { AnswerStream } from './runtime/ask/answer-stream.ts'
import { asQuestion, openTalk, type Talk, type TalkOptions, throwIfInterrupted } from './runtime/ask/open-talk.ts'
import { type OpenOptions, openRuntime } from './runtime/open.ts'
import type { LocalRuntime } from './runtime/runtime.ts'

export type {
  Answer,
  AskedLibrary,
  AskedVideo,
  Budget,
  Question,
  Reference,
  Refers,
  RunEvent,
  Sentence,
  Step,
  StopReason,
  Turn,
  Verdict,
} from './core/agent.ts'
export type { Usage } from './core/chat.ts'
export {
  BackendError,
  InputError,
  InterruptedError,
  LongtakeError,
  StorageError,
  UsageError,
} from './core/errors.ts'
export type { Box, Evidence, EvidenceId, Track, Word } from './core/evidence.ts'
export type { FoundVideo, KnownVideo, NotSearched } from './core/library.ts'
export type { People, Person } from './core/people.ts'
export type { Checkpointer, Inquiry } from './core/run/checkpoints.ts'
export type { AskLibraryOptions, AskReport, Fetched, LibraryHit, LibrarySearch } from './core/runtime.ts'
export { formatSpan, formatTime, type Span } from './core/time.ts'
export type { Coverage, Hit, Overview, SearchQuery, TrackCoverage, Video } from './core/video.ts'
export type { AnswerStream } from './runtime/ask/answer-stream.ts'
export type { Talk, TalkOptions } from './runtime/ask/open-talk.ts'
export type { OpenOptions } from './runtime/open.ts'

// A video that is ready to be asked about. Close it at the end: then nothing keeps the process alive.
export interface LongtakeVideo extends AsyncDisposable {
  readonly video: Video
  readonly coverage: Coverage // what could be looked at and what could not
  readonly overview: Overview
  readonly people?: People // who speaks and appears; where voices, faces or captions are indexed
  readonly profile: { name: string; why: string }
  ask(question: string | Question, options?: TalkOptions): Promise<AskReport>
  stream(question: string | Question, options?: TalkOptions): AnswerStream
  search(query: string | SearchQuery): Promise<Hit[]>
  evidence(filter?: { tracks?: Track[]; span?: Span }): Evidence[]
  session(name?: string): Talk // a conversation: kept under its name, or in memory
  resume(run: string, options?: TalkOptions): Promise<AskReport> // resumes a run that was stopped
  close(): Promise<void>
}

// Opens a local video or audio file by its path, or a known one by its id; what is missing of the index is made first.
export async function open(video: string, options: OpenOptions = {}): Promise<LongtakeVideo> {
  const { home, runtime } = await openRuntime(options)
  try {
    return asVideo(runtime, await runtime.questions.openVideo(video, options), home)
  } catch (error) {
    await runtime.close()
    throw error
  }
}

// Looks for words in every video of the data folder that has an index, in one ranking; makes no index. What could not be
// searched is named.
export async function searchLibrary(query: string | SearchQuery, options: OpenOptions = {}): Promise<LibrarySearch> {
  const { runtime } = await openRuntime(options)
  try {
    return await runtime.allVideos.search(asQuery(query), options)
  } finally {
    await runtime.close()
  }
}

// Asks over every video of the data folder that has an index: the videos that fit are found first, then the best are asked one by one.
export async function askLibrary(
  question: string | Question,
  options: OpenOptions & Omit<AskLibraryOptions, keyof OpenOptions> = {},
): Promise<AskReport> {
  const { runtime } = await openRuntime(options)
  try {
    return throwIfInterrupted(await runtime.allVideos.ask(asQuestion(question), options), options.signal)
  } finally {
    await runtime.close()
  }
}

// Fetches the video at an address into the data folder, once, by yt-dlp; `open` takes the path. Nothing else fetches.
export async function fetchVideos(
  address: string,
  { playlist, ...options }: OpenOptions & { playlist?: boolean } = {},
): Promise<Fetched[]> {
  const { runtime } = await openRuntime(options)
  try {
    return await runtime.videos.fetch(address, { ...options, playlist })
  } finally {
    await runtime.close()
  }
}

function asQuery(query: string | SearchQuery): SearchQuery {
  return typeof query === 'string' ? { query } : query
}

function asVideo(
  runtime: LocalRuntime,
  opened: Awaited<ReturnType<LocalRuntime['questions']['openVideo']>>,
  home: string,
): LongtakeVideo {
  const { index } = opened
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  // A question ends with its own signal and with the video.
  const begin = (signal: AbortSignal | undefined) => {
    refuseClosed()
    return linkSignals(closing.signal, signal)
  }
  const track = <T>(work: Promise<T>, link: LinkedSignal): Promise<T> => {
    const untrack = () => {
      link.clear()
      running.delete(work)
    }
    running.add(work)
    work.then(untrack, untrack)
    return work
  }
  const guarded = (talk: Talk): Talk => ({
    ...talk,
    async ask(question, options) {
      const link = begin(options?.signal)
      return track(talk.ask(question, { ...options, signal: link.signal }), link)
    },
    stream(question, options) {
      const link = begin(options?.signal)
      const stream = talk.stream(question, { ...options, signal: link.signal })
      track(stream.report, link)
      return stream
    },
    fork: async (as, at) => guarded(await talk.fork(as, at)),
  })
  const refuseClosed = () => {
    if (closing.signal.aborted)
      throw new UsageError(`${index.video.name} was closed.`, { hint: 'Open it again before you ask.' })
  }
  const single = () => guarded(openTalk(opened, home))
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= (async () => {
      closing.abort(new DOMException(`${index.video.name} was closed.`, 'AbortError'))
      await Promise.allSettled(running)
      await opened.close()
      await runtime.close()
    })()
    return closed
  }
  return {
    video: index.video,
    coverage: index.coverage,
    overview: index.overview,
    ...(index.people && { people: index.people }),
    profile: runtime.profile,
    ask: (question, options) => single().ask(question, options),
    stream: (question, options) => single().stream(question, options),
    async search(query) {
      refuseClosed()
      return index.search(asQuery(query))
    },
    evidence(filter) {
      refuseClosed()
      return index.evidence(filter)
    },
    session: name => guarded(openTalk(opened, home, name)),
    resume: (run, options) =>
      guarded({
        ...openTalk(opened, home),
        ask: async (_, asked) => throwIfInterrupted(await runtime.questions.resume(run, asked), asked?.signal),
      }).ask('', options),
    close,
    [Symbol.asyncDispose]: close,
  }
}
