import { asksWithoutIndex, checkGraph, checkPlanner, libraryGraph, preloadGraph } from '../../graphs/index.ts'
import type { ProfileName } from '../config/profiles.ts'
import type { ResolvedConfig } from '../config/resolve.ts'
import type { Config } from '../config/schema.ts'
import type { Watch } from '../core/agent.ts'
import type { Host } from '../core/backend.ts'
import { linked } from '../core/basics/signals.ts'
import { addUsage, emptyUsage } from '../core/chat.ts'
import { InputError, UsageError } from '../core/errors.ts'
import type { AskOptions, IndexOptions, IndexReport, OpenVideo, Runtime, StageReport } from '../core/runtime.ts'
import type { SharedStages } from '../core/stage.ts'
import { isPartial, isVideoId, type Video } from '../core/video.ts'
import type { ReplayedCalls } from '../store/call-log/replay.ts'
import { type Library, openLibrary } from '../store/library/library.ts'
import { checkQuery, checkQuestion } from '../text/question/check-question.ts'
import { type Answering, answerQuestion, forkRun, goOn, type StoppedRun, stoppedRun } from './ask/answer-question.ts'
import type { LibraryWish } from './ask/library/open-library.ts'
import { replayRun } from './ask/replay.ts'
import { refuseChanged } from './index/content/guard.ts'
import { type DeepeningIndex, deepeningIndex } from './index/deepening-index.ts'
import { finder, findWhole, type IndexedVideo } from './index/find-index.ts'
import { indexVideo } from './index/index-video.ts'
import { locateVideo, type VideosElsewhere } from './index/locate-video.ts'
import { type OpenedIndex, openIndex } from './index/open-index.ts'
import { filePolicy, trustOf } from './index/plan-stages.ts'
import type { SearchTables } from './index/search-library.ts'
import type { StageChanges } from './index/stage-changes.ts'
import { chooseModels } from './models/choose/choose-models.ts'
import { type HostOptions, hostOf } from './models/host.ts'
import { memoryReclaimer } from './models/memory/card-lender.ts'
import { chooseBound, openMemoryGate } from './models/memory/memory-gate.ts'
import { Models } from './models/models.ts'
import { openToolbox, permissionsOf } from './tools/toolbox.ts'

// In how many videos a question over all of them is asked at most.
const usualVideos = 4

interface RuntimeOptions extends HostOptions {
  config: ResolvedConfig
  replay?: ReplayedCalls // in place of every model that would be asked over a network
  fixedIndexes?: StageChanges // every question starts from the same index, with what an ablation changes of it
  searchTables?: SearchTables // of a cluster
  shared?(video: Video, watch: Watch): Promise<SharedStages> // results of other machines, looked for where one is missing here
  elsewhere?(watch: Watch): VideosElsewhere // videos that other machines know, and their files
  exceeded?(error: Error): void // the bound of memory cannot be kept; without it, all work of the runtime is stopped
}

// The runtime with what it is made of, for an evaluation.
export interface OpenRuntime extends Runtime {
  profile: { name: 'auto' | ProfileName; why: string }
  config: ResolvedConfig // with what was chosen for the roles
  settings: Config
  models: Models
  library: Library
  host: Host
  openVideo(pathOrId: string, options?: OpenOptions): Promise<OpenedVideo>
}

interface OpenOptions extends IndexOptions {
  subtitles?: string // a file in place of those beside the video
  graph?: string // that it is opened for, where it is not that of the settings: some need no index
}

type OpenAsked = IndexOptions & Pick<AskOptions, 'byId'>

interface OpenedVideo extends OpenVideo {
  stages: StageReport[] // what its index is made of
}

// Where models, tools, graphs and storage meet. One runtime serves many videos and questions; close it at the end.
export async function createRuntime(options: RuntimeOptions): Promise<OpenRuntime> {
  const { home, fixedIndexes } = options
  const closing = linked(options.signal)
  const host = hostOf({ ...options, signal: closing.signal })
  const memory = openMemoryGate(chooseBound(options.config.settings.limits.memory), error =>
    options.exceeded ? options.exceeded(error) : closing.abort(error),
  )
  const { config, profile, unusedKey, advice, fault } = await chooseModels(options.config, host)
  const mayAsk = () => {
    if (fault) throw fault
  }
  const { settings } = config
  checkGraph(settings.graph)
  const ownModels = new Models(settings.models, host, options.replay, settings.prices)
  const { card } = await import('../../models/onnx/card/card.ts')
  const stopReclaiming = card().addReclaimer(memoryReclaimer(settings.models))
  const library = openLibrary(home)

  const locate = async (
    given: string,
    { watch = () => {}, signal = host.signal, subtitles, file = true }: OpenOptions & { file?: boolean } = {},
  ) => {
    const otherLibrary = options.elsewhere?.(watch)
    const elsewhere = file ? otherLibrary : otherLibrary && { ...otherLibrary, fetch: undefined }
    const located = await locateVideo(library, given, { ...filePolicy(settings.index), elsewhere, watch, signal })
    return { video: subtitles === undefined ? located : { ...located, sidecars: [subtitles] }, others: otherLibrary }
  }
  const prepare = async (
    given: string,
    opened: OpenOptions & { file?: boolean } = {},
    models = ownModels,
  ): Promise<IndexedVideo> => {
    const { watch = () => {}, signal = host.signal } = opened
    const { video, others } = await locate(given, opened)
    const folder = library.videoFolder(video.id)
    const shared = await options.shared?.(video, watch)
    const indexWork = { video, folder, models, settings: settings.index, changes: fixedIndexes, shared, watch, signal }
    // Subtitle files that lie beside it on another machine are part of the index that was made there.
    const there = isVideoId(given) && video.sidecars.length === 0 ? await others?.asIndexed(video.id) : undefined
    const sharedWork = there && { ...indexWork, video: { ...video, sidecars: there.video.sidecars } }
    const whole = sharedWork && (await findWhole(sharedWork, finder(indexWork), there.files))
    return whole ? { ...whole, video } : indexVideo(indexWork)
  }
  const open = async (given: string, indexOptions: IndexOptions = {}): Promise<OpenedIndex> =>
    openIndex(
      await prepare(given, { ...indexOptions, file: false }),
      ownModels,
      settings.index,
      indexOptions.signal ?? host.signal,
    )

  // Without a stage of an index, for a graph that needs none.
  const openBare = async (given: string, opened: OpenOptions, models = ownModels): Promise<OpenedIndex> => {
    const { watch = () => {}, signal = host.signal } = opened
    const { video } = await locate(given, opened)
    const { openBareIndex } = await import('./index/bare-index.ts')
    const bareWork = { video, folder: library.videoFolder(video.id), models, settings: settings.index, watch, signal }
    const finished = () => (fixedIndexes ? prepare(given, opened, models) : findWhole(bareWork))
    return openBareIndex({ ...bareWork, words: settings.seek.words, finished })
  }

  // As a run has used it: the windows that were looked at in full are part of the index.
  const openFor = async (
    { video: { path, id }, deepened: windows = [], graph }: StoppedRun,
    { watch, signal = host.signal, byId }: OpenAsked,
    models = ownModels,
  ) => {
    const videoPath = byId ? (await library.find(id))?.path : path
    if (videoPath === undefined) throw new InputError(`The video of the run is not in the library.`)
    const refuseOther = (video: Video) => {
      if (video.id === id) return
      throw new UsageError(`${videoPath} is no longer the video of the run: its content has changed.`, {
        hint: 'Ask again about the file as it is now.',
      })
    }
    if (await asksWithoutIndex(graph ?? settings.graph)) {
      const bare = await openBare(videoPath, { watch, signal }, models)
      refuseOther(bare.video)
      return bare
    }
    const indexed = await prepare(videoPath, { watch, signal }, models)
    refuseOther(indexed.video)
    const folder = library.videoFolder(indexed.video.id)
    const { openDeepened } = await import('./index/deepen.ts')
    return openDeepened(indexed, windows, { folder, models, settings: settings.index, signal, watch })
  }

  const indexWork = (signal: AbortSignal, models = ownModels) => ({
    ...{ library, models, settings: settings.index, signal, shared: options.shared },
  })

  // All videos, as a question is asked over them.
  const openAll = async (wish: LibraryWish, signal: AbortSignal, models = ownModels) => {
    const { openLibrarySearch: openLibrary } = await import('./ask/library/open-library.ts')
    const { searchTables } = options
    return openLibrary({ ...indexWork(signal, models), all: settings, searchTables }, wish)
  }

  // What a run was asked about.
  const openAsked = async (
    stopped: StoppedRun,
    { watch, signal = host.signal, byId }: OpenAsked,
    models = ownModels,
  ) => {
    const { library: wish } = stopped
    if (!wish) return { index: await openFor(stopped, { watch, signal, byId }, models) }
    const opened = await openAll(wish, signal, models)
    return { index: opened.index, library: opened }
  }

  const answering: Answering = { home, config, profile, models: ownModels, environment: options.environment }
  const bareVideo = (index: OpenedIndex, chosen: string): OpenedVideo => ({
    stages: [],
    index,
    async ask(question, { watch = () => {}, signal = host.signal, graph = chosen, ...asked } = {}) {
      checkQuestion(question)
      if (!(await asksWithoutIndex(graph)))
        throw new UsageError(
          `${index.video.name} was opened for the graph "${chosen}", and "${graph}" needs an index.`,
          {
            hint: 'Open it again for that graph.',
          },
        )
      const trust = trustOf(settings.index)
      await refuseChanged(index.video, library.videoFolder(index.video.id), { trust, watch, signal })
      return answerQuestion(answering, index, question, { ...asked, graph, watch, signal })
    },
    close: () => index.close(),
  })
  const openVideo: OpenRuntime['openVideo'] = async (given, opened = {}) => {
    mayAsk()
    const chosen = opened.graph ?? settings.graph
    checkGraph(chosen)
    preloadGraph(chosen)
    // A tool that cannot be used is reported before anything is indexed.
    await openToolbox(ownModels, settings.tools, permissionsOf(settings))
    await checkPlanner(chosen, async () => (await ownModels.open('planner')).service)
    if (await asksWithoutIndex(chosen)) return bareVideo(await openBare(given, opened), chosen)
    const indexed = await prepare(given, opened)
    await ownModels.leaveCard() // the models that answer need it
    const folder = library.videoFolder(indexed.video.id)
    const deepenWork = { folder, models: ownModels, settings: settings.index, signal: host.signal, watch: opened.watch }
    const deep = fixedIndexes
      ? fixedIndex(await openIndex(indexed, ownModels, settings.index, host.signal, fixedIndexes))
      : await deepeningIndex(indexed, deepenWork)
    return {
      stages: indexed.reports,
      get index() {
        return deep.index()
      },
      async ask(question, { watch = () => {}, signal = host.signal, ...asked } = {}) {
        checkQuestion(question)
        await refuseChanged(indexed.video, folder, { trust: trustOf(settings.index), watch, signal })
        let spent = emptyUsage
        const index = await deep.touch(question.text, watch, signal, usage => {
          spent = addUsage(spent, usage)
        })
        return answerQuestion(answering, index, question, { ...asked, watch, signal, spent })
      },
      close: () => deep.close(),
    }
  }

  return {
    ...{ profile, unusedKey, advice, config, settings, models: ownModels, library, host },
    async index(given, indexOptions): Promise<IndexReport> {
      const began = performance.now()
      const { video, coverage, overview, reports } = await prepare(given, indexOptions)
      return {
        video,
        coverage,
        overview,
        stages: reports,
        seconds: (performance.now() - began) / 1000,
        profile: profile.name,
        partial: isPartial(coverage),
      }
    },
    async forecast(given, { signal = host.signal } = {}) {
      const { forecastIndex } = await import('./index/forecast/forecast-index.ts')
      return forecastIndex(given, indexWork(signal))
    },
    async fetch(address, { watch = () => {}, signal = host.signal, playlist = false } = {}) {
      const { fetchToLibrary: fetchVideos } = await import('./index/fetch-video.ts')
      const { environment } = host
      return fetchVideos(address, { home, settings: settings.fetch, environment, watch, signal, playlist })
    },
    open,
    async ask(given, question, asked = {}) {
      checkQuestion(question)
      const opened = await openVideo(given, asked)
      try {
        return await opened.ask(question, asked)
      } finally {
        await opened.close()
      }
    },
    openVideo,
    async resume(run, asked = {}) {
      mayAsk()
      const { watch = () => {}, signal = host.signal } = asked
      const stopped = await stoppedRun(home, run)
      if (stopped.report) return stopped.report
      const { index, library } = await openAsked(stopped, { watch, signal, byId: asked.byId })
      try {
        return await goOn(answering, index, stopped, { ...asked, watch, signal, library })
      } finally {
        await index.close()
      }
    },
    async fork(run, point, { watch = () => {}, signal = host.signal, ...asked } = {}) {
      mayAsk()
      const from = await stoppedRun(home, run)
      const { index, library } = await openAsked(from, { watch, signal, byId: asked.byId })
      try {
        return await forkRun(answering, index, from, point, { ...asked, watch, signal, library })
      } finally {
        await index.close()
      }
    },
    replay: (run, { watch = () => {}, signal = host.signal } = {}) =>
      replayRun(answering, run, { watch, signal }, (recorded, replaying) =>
        openAsked(recorded, { watch, signal }, replaying),
      ),
    async search(given, query, indexOptions) {
      checkQuery(query)
      const index = await open(given, indexOptions)
      try {
        return { video: index.video, hits: await index.search(query), coverage: index.coverage }
      } finally {
        await index.close()
      }
    },
    async searchAll(query, { signal = host.signal, ...given } = {}) {
      const { searchLibraryRows: searchLibrary } = await import('./index/search-library.ts')
      const tableHits = await options.searchTables?.(indexWork(signal), query, given)
      if (tableHits) return tableHits
      if (!given.fast) return searchLibrary(indexWork(signal), query, given)
      throw new UsageError('Only the tables of a cluster have candidates to show fast, and there are none.', {
        hint: 'Leave out --fast: every index is then looked into.',
      })
    },
    async askLibrary(question, { watch = () => {}, signal = host.signal, within, k, graph, ...asked } = {}) {
      mayAsk()
      checkQuestion(question)
      preloadGraph(libraryGraph)
      await openToolbox(ownModels, settings.tools, permissionsOf(settings))
      const wish = { ...(within !== undefined && { within }), k: k ?? usualVideos, graph: graph ?? settings.graph }
      checkGraph(wish.graph)
      preloadGraph(wish.graph)
      const opened = await openAll(wish, signal)
      await ownModels.leaveCard()
      const over = { ...asked, watch, signal, graph: libraryGraph, library: opened }
      return answerQuestion(answering, opened.index, question, over)
    },
    async show(given, indexOptions) {
      const index = await open(given, indexOptions)
      try {
        const { video, coverage, overview, people, shots } = index
        return { video, coverage, overview, ...(people && { people }), shots, evidence: index.evidence() }
      } finally {
        await index.close()
      }
    },
    async doctor({ depth = 'try' } = {}) {
      const { examine } = await import('./models/doctor.ts')
      return examine({ home, profile, unusedKey, fault, choices: settings.models, host, depth })
    },
    async close() {
      closing.abort()
      closing.clear()
      memory.close()
      stopReclaiming()
      await ownModels.close()
    },
  }
}

// An index that learns nothing from the questions.
function fixedIndex(index: OpenedIndex): DeepeningIndex {
  return { index: () => index, touch: async () => index, close: () => index.close() }
}
