import type {
  Fetched,
  FetchOptions,
  IndexForecast,
  IndexOptions,
  IndexReport,
  ShowReport,
  VideoActions,
  VideoSearch,
} from '../core/runtime.ts'
import { isPartial, type SearchQuery } from '../core/video.ts'
import { checkQuery } from '../text/question/check-question.ts'
import { libraryWork, type RuntimeParts, watchOptions } from './context.ts'
import { type OpenedIndex, openIndex } from './index/open-index.ts'
import { prepareVideo } from './index/prepare-video.ts'

// One video at a time: its index, and what is read from it.
export class RuntimeVideos implements VideoActions {
  readonly #parts: RuntimeParts

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  async index(given: string, options: IndexOptions = {}): Promise<IndexReport> {
    const began = performance.now()
    const { video, coverage, overview, reports } = await prepareVideo(this.#parts, given, options)
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

  async forecast(given: string, options: IndexOptions = {}): Promise<IndexForecast> {
    const { forecastIndex } = await import('./index/forecast/forecast-index.ts')
    return forecastIndex(given, libraryWork(this.#parts, watchOptions(this.#parts, options).signal))
  }

  async fetch(address: string, options: FetchOptions = {}): Promise<Fetched[]> {
    const { host, settings, library } = this.#parts
    const { watch, signal, playlist = false } = watchOptions(this.#parts, options)
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
    const { models, settings } = this.#parts
    const indexed = await prepareVideo(this.#parts, given, { ...options, file: false })
    return openIndex(indexed, models, settings.index, watchOptions(this.#parts, options).signal)
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

  async search(given: string, query: SearchQuery, options?: IndexOptions): Promise<VideoSearch> {
    checkQuery(query)
    const index = await this.open(given, options)
    try {
      return { video: index.video, hits: await index.search(query), coverage: index.coverage }
    } finally {
      await index.close()
    }
  }
}
