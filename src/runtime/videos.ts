import type {
  Fetched,
  FetchOptions,
  IndexForecast,
  IndexOptions,
  IndexReport,
  ShowReport,
  VideoActions,
} from '../core/runtime.ts'
import { type Coverage, type Hit, isPartial, isVideoId, type SearchQuery, type Video } from '../core/video.ts'
import { checkQuery } from '../text/question/check-question.ts'
import { finder, findWhole, type IndexedVideo } from './index/find-index.ts'
import { indexVideo } from './index/index-video.ts'
import { locateVideo } from './index/locate-video.ts'
import { type OpenedIndex, openIndex } from './index/open-index.ts'
import { filePolicy } from './index/plan-stages.ts'
import type { Models } from './models/models.ts'
import type { RuntimeParts, VideoOptions } from './parts.ts'

// One video at a time: its index, and what is read from it.
export class RuntimeVideos implements VideoActions {
  readonly #parts: RuntimeParts

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  async index(given: string, options?: IndexOptions): Promise<IndexReport> {
    const began = performance.now()
    const { video, coverage, overview, reports } = await this.prepare(given, options)
    return {
      video,
      coverage,
      overview,
      stages: reports,
      seconds: (performance.now() - began) / 1000,
      profile: this.#parts.profile.name,
      partial: isPartial(coverage),
    }
  }

  async forecast(given: string, { signal }: IndexOptions = {}): Promise<IndexForecast> {
    const { forecastIndex } = await import('./index/forecast/forecast-index.ts')
    const { library, models, settings, host, options } = this.#parts
    const work = { library, models, settings: settings.index, signal: signal ?? host.signal, shared: options.shared }
    return forecastIndex(given, work)
  }

  async fetch(address: string, options: FetchOptions = {}): Promise<Fetched[]> {
    const { host, settings, library } = this.#parts
    const { watch = () => {}, signal = host.signal, playlist = false } = options
    const { fetchToLibrary } = await import('./index/fetch-video.ts')
    const { environment } = host
    return fetchToLibrary(address, {
      home: library.home,
      settings: settings.fetch,
      environment,
      watch,
      signal,
      playlist,
    })
  }

  async open(given: string, options: IndexOptions = {}): Promise<OpenedIndex> {
    const { models, settings, host } = this.#parts
    const indexed = await this.prepare(given, { ...options, file: false })
    return openIndex(indexed, models, settings.index, options.signal ?? host.signal)
  }

  async show(given: string, options?: IndexOptions): Promise<ShowReport> {
    const index = await this.open(given, options)
    try {
      const { video, coverage, overview, people, shots } = index
      return { video, coverage, overview, ...(people && { people }), shots, evidence: index.evidence() }
    } finally {
      await index.close()
    }
  }

  async search(
    given: string,
    query: SearchQuery,
    options?: IndexOptions,
  ): Promise<{ video: Video; hits: Hit[]; coverage: Coverage }> {
    checkQuery(query)
    const index = await this.open(given, options)
    try {
      return { video: index.video, hits: await index.search(query), coverage: index.coverage }
    } finally {
      await index.close()
    }
  }

  // The index of a video; what is missing of it is made.
  async prepare(
    given: string,
    options: VideoOptions & { file?: boolean } = {},
    models: Models = this.#parts.models,
  ): Promise<IndexedVideo> {
    const { library, settings, host, options: overrides } = this.#parts
    const { watch = () => {}, signal = host.signal } = options
    const { video, others } = await this.#locate(given, options)
    const folder = library.videoFolder(video.id)
    const shared = await overrides.shared?.(video, watch)
    const changes = overrides.fixedIndexes
    const work = { video, folder, models, settings: settings.index, changes, shared, watch, signal }
    // Subtitle files that lie beside it on another machine are part of the index that was made there.
    const remote = isVideoId(given) && video.sidecars.length === 0 ? await others?.asIndexed(video.id) : undefined
    const withSidecars = remote && { ...work, video: { ...video, sidecars: remote.video.sidecars } }
    const whole = withSidecars && (await findWhole(withSidecars, finder(work), remote.files))
    return whole ? { ...whole, video } : indexVideo(work)
  }

  // Without a stage of an index, for a graph that needs none.
  async openBare(given: string, options: VideoOptions, models: Models = this.#parts.models): Promise<OpenedIndex> {
    const { library, settings, host, options: overrides } = this.#parts
    const { watch = () => {}, signal = host.signal } = options
    const { video } = await this.#locate(given, options)
    const { openBareIndex } = await import('./index/bare-index.ts')
    const work = { video, folder: library.videoFolder(video.id), models, settings: settings.index, watch, signal }
    const finished = () => (overrides.fixedIndexes ? this.prepare(given, options, models) : findWhole(work))
    return openBareIndex({ ...work, words: settings.seek.words, finished })
  }

  async #locate(given: string, options: VideoOptions & { file?: boolean }) {
    const { library, settings, host, options: overrides } = this.#parts
    const { watch = () => {}, signal = host.signal, subtitles, file = true } = options
    const others = overrides.elsewhere?.(watch)
    const elsewhere = file ? others : others && { ...others, fetch: undefined }
    const video = await locateVideo(library, given, { ...filePolicy(settings.index), elsewhere, watch, signal })
    return { video: subtitles === undefined ? video : { ...video, sidecars: [subtitles] }, others }
  }
}
