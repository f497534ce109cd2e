import { asksWithoutIndex, checkGraph, checkPlanner, preloadGraph } from '../../graphs/index.ts'
import type { Question } from '../core/agent.ts'
import { addUsage, emptyUsage } from '../core/chat.ts'
import { InputError, UsageError } from '../core/errors.ts'
import type {
  AskOptions,
  AskReport,
  ForkPoint,
  IndexOptions,
  OpenVideo,
  QuestionActions,
  StageReport,
} from '../core/runtime.ts'
import type { Video } from '../core/video.ts'
import { checkQuestion } from '../text/question/check-question.ts'
import type { LibraryQuestions } from './all-videos.ts'
import { answerQuestion, forkRun, resumeRun, type StoppedRun, stoppedRun } from './ask/answer-question.ts'
import type { OpenLibrary } from './ask/library/open-library.ts'
import { replayRun } from './ask/replay.ts'
import { refuseChanged } from './index/content/guard.ts'
import { type DeepeningIndex, deepeningIndex } from './index/deepening-index.ts'
import type { IndexedVideo } from './index/find-index.ts'
import { type OpenedIndex, openIndex } from './index/open-index.ts'
import { chooseTrust } from './index/plan-stages.ts'
import type { Models } from './models/models.ts'
import { type RuntimeParts, selectAnswering, type VideoOptions } from './parts.ts'
import { listPermissions, openToolbox } from './tools/toolbox.ts'
import type { RuntimeVideos } from './videos.ts'

export interface RuntimeVideo extends OpenVideo {
  stages: StageReport[] // what its index is made of
}

interface RunOptions extends Pick<AskOptions, 'byId'> {
  watch: NonNullable<IndexOptions['watch']>
  signal: AbortSignal
}

// Questions about one video, and what can be done with the run of one.
export class RuntimeQuestions implements QuestionActions {
  readonly #parts: RuntimeParts
  readonly #videos: RuntimeVideos
  readonly #allVideos: LibraryQuestions

  constructor(parts: RuntimeParts, videos: RuntimeVideos, allVideos: LibraryQuestions) {
    this.#parts = parts
    this.#videos = videos
    this.#allVideos = allVideos
  }

  async ask(given: string, question: Question, options: AskOptions = {}): Promise<AskReport> {
    checkQuestion(question)
    const opened = await this.openVideo(given, options)
    try {
      return await opened.ask(question, options)
    } finally {
      await opened.close()
    }
  }

  async openVideo(given: string, options: VideoOptions = {}): Promise<RuntimeVideo> {
    const { health, settings, models } = this.#parts
    health.assertModelsReady()
    const graph = options.graph ?? settings.graph
    checkGraph(graph)
    preloadGraph(graph)
    // A tool that cannot be used is reported before anything is indexed.
    await openToolbox(models, settings.tools, listPermissions(settings))
    await checkPlanner(graph, async () => (await models.open('planner')).service)
    if (await asksWithoutIndex(graph)) return this.#bareVideo(await this.#videos.openBare(given, options), graph)
    const indexed = await this.#videos.prepare(given, options)
    await models.leaveCard() // the models that answer need it
    return this.#indexedVideo(indexed, await this.#deepening(indexed, options))
  }

  async resume(run: string, options: AskOptions = {}): Promise<AskReport> {
    this.#parts.health.assertModelsReady()
    const { watch, signal } = this.#defaults(options)
    const stopped = await stoppedRun(this.#parts.options.home, run)
    if (stopped.report) return stopped.report
    const { index, library } = await this.#openRun(stopped, { watch, signal, byId: options.byId })
    try {
      return await resumeRun(selectAnswering(this.#parts), index, stopped, { ...options, watch, signal, library })
    } finally {
      await index.close()
    }
  }

  async fork(run: string, point: ForkPoint, options: AskOptions = {}): Promise<AskReport> {
    this.#parts.health.assertModelsReady()
    const { watch, signal } = this.#defaults(options)
    const from = await stoppedRun(this.#parts.options.home, run)
    const { index, library } = await this.#openRun(from, { watch, signal, byId: options.byId })
    try {
      return await forkRun(selectAnswering(this.#parts), index, from, point, { ...options, watch, signal, library })
    } finally {
      await index.close()
    }
  }

  replay(run: string, options: IndexOptions = {}): Promise<{ report: AskReport; same: boolean }> {
    const work = this.#defaults(options)
    return replayRun(selectAnswering(this.#parts), run, work, (recorded, replaying) =>
      this.#openRun(recorded, work, replaying),
    )
  }

  #defaults({ watch = () => {}, signal = this.#parts.host.signal }: IndexOptions) {
    return { watch, signal }
  }

  #deepening(indexed: IndexedVideo, { watch }: VideoOptions): Promise<DeepeningIndex> {
    const { library, models, settings, host, options } = this.#parts
    const { fixedIndexes } = options
    const { signal } = host
    if (fixedIndexes) return openIndex(indexed, models, settings.index, signal, fixedIndexes).then(fixedIndex)
    const folder = library.videoFolder(indexed.video.id)
    return deepeningIndex(indexed, { folder, models, settings: settings.index, signal, watch })
  }

  #indexedVideo({ video, reports }: IndexedVideo, deep: DeepeningIndex): RuntimeVideo {
    const parts = this.#parts
    return {
      stages: reports,
      get index() {
        return deep.index()
      },
      ask: async (question, options = {}) => {
        checkQuestion(question)
        const { watch, signal } = this.#defaults(options)
        await this.#refuseChanged(video, { watch, signal })
        let spent = emptyUsage
        const index = await deep.touch(question.text, watch, signal, usage => {
          spent = addUsage(spent, usage)
        })
        return answerQuestion(selectAnswering(parts), index, question, { ...options, watch, signal, spent })
      },
      close: () => deep.close(),
    }
  }

  #bareVideo(index: OpenedIndex, chosen: string): RuntimeVideo {
    const { name } = index.video
    return {
      stages: [],
      index,
      ask: async (question, options = {}) => {
        checkQuestion(question)
        const { watch, signal } = this.#defaults(options)
        const graph = options.graph ?? chosen
        if (!(await asksWithoutIndex(graph)))
          throw new UsageError(`${name} was opened for the graph "${chosen}", and "${graph}" needs an index.`, {
            hint: 'Open it again for that graph.',
          })
        await this.#refuseChanged(index.video, { watch, signal })
        return answerQuestion(selectAnswering(this.#parts), index, question, { ...options, graph, watch, signal })
      },
      close: () => index.close(),
    }
  }

  #refuseChanged(video: Video, work: Omit<RunOptions, 'byId'>): Promise<void> {
    const { library, settings } = this.#parts
    return refuseChanged(video, library.videoFolder(video.id), { trust: chooseTrust(settings.index), ...work })
  }

  // What a run was asked about.
  async #openRun(
    stopped: StoppedRun,
    options: RunOptions,
    models: Models = this.#parts.models,
  ): Promise<{ index: OpenedIndex; library?: OpenLibrary }> {
    if (!stopped.library) return { index: await this.#openRunVideo(stopped, options, models) }
    const library = await this.#allVideos.open(stopped.library, options.signal, models)
    return { index: library.index, library }
  }

  // As a run has used it: the windows that were looked at in full are part of the index.
  async #openRunVideo(
    { video: { path, id }, deepened: windows = [], graph }: StoppedRun,
    { watch, signal, byId }: RunOptions,
    models: Models,
  ): Promise<OpenedIndex> {
    const { library, settings } = this.#parts
    const videoPath = byId ? (await library.find(id))?.path : path
    if (videoPath === undefined) throw new InputError(`The video of the run is not in the library.`)
    const refuseOther = (video: Video) => {
      if (video.id === id) return
      throw new UsageError(`${videoPath} is no longer the video of the run: its content has changed.`, {
        hint: 'Ask again about the file as it is now.',
      })
    }
    if (await asksWithoutIndex(graph ?? settings.graph)) {
      const bare = await this.#videos.openBare(videoPath, { watch, signal }, models)
      refuseOther(bare.video)
      return bare
    }
    const indexed = await this.#videos.prepare(videoPath, { watch, signal }, models)
    refuseOther(indexed.video)
    const folder = library.videoFolder(indexed.video.id)
    const { openDeepened } = await import('./index/deepen.ts')
    return openDeepened(indexed, windows, { folder, models, settings: settings.index, signal, watch })
  }
}

// An index that learns nothing from the questions.
function fixedIndex(index: OpenedIndex): DeepeningIndex {
  return { index: () => index, touch: async () => index, close: () => index.close() }
}
