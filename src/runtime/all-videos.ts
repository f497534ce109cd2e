import { checkGraph, libraryGraph, preloadGraph } from '../../graphs/index.ts'
import type { Question } from '../core/agent.ts'
import { UsageError } from '../core/errors.ts'
import type { AllVideoActions, AskLibraryOptions, AskReport, LibraryOptions, LibrarySearch } from '../core/runtime.ts'
import type { SearchQuery } from '../core/video.ts'
import { checkQuestion } from '../text/question/check-question.ts'
import { answerQuestion } from './ask/answer-question.ts'
import type { LibraryWish, OpenLibrary } from './ask/library/open-library.ts'
import type { Models } from './models/models.ts'
import { type RuntimeParts, selectAnswering } from './parts.ts'
import { listPermissions, openToolbox } from './tools/toolbox.ts'

// In how many videos a question over all of them is asked at most.
const usualVideos = 4

// Every video that has an index, at once; makes no index.
export class LibraryQuestions implements AllVideoActions {
  readonly #parts: RuntimeParts

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  async search(query: SearchQuery, options: LibraryOptions = {}): Promise<LibrarySearch> {
    const { signal = this.#parts.host.signal, ...given } = options
    const { searchLibraryRows } = await import('./index/search-library.ts')
    const work = this.#work(signal, this.#parts.models)
    const found = await this.#parts.options.searchTables?.(work, query, given)
    if (found) return found
    if (!given.fast) return searchLibraryRows(work, query, given)
    throw new UsageError('Only the tables of a cluster have candidates to show fast, and there are none.', {
      hint: 'Leave out --fast: every index is then looked into.',
    })
  }

  async ask(question: Question, options: AskLibraryOptions = {}): Promise<AskReport> {
    const { host, settings, models, health } = this.#parts
    const { watch = () => {}, signal = host.signal, within, k = usualVideos, graph, ...asked } = options
    health.assertModelsReady()
    checkQuestion(question)
    preloadGraph(libraryGraph)
    await openToolbox(models, settings.tools, listPermissions(settings))
    const wish = { ...(within !== undefined && { within }), k, graph: graph ?? settings.graph }
    checkGraph(wish.graph)
    preloadGraph(wish.graph)
    const library = await this.open(wish, signal)
    await models.leaveCard()
    const over = { ...asked, watch, signal, graph: libraryGraph, library }
    return answerQuestion(selectAnswering(this.#parts), library.index, question, over)
  }

  // All videos, as a question is asked over them.
  async open(wish: LibraryWish, signal: AbortSignal, models: Models = this.#parts.models): Promise<OpenLibrary> {
    const { openLibrarySearch } = await import('./ask/library/open-library.ts')
    const { options, settings } = this.#parts
    return openLibrarySearch({ ...this.#work(signal, models), all: settings, searchTables: options.searchTables }, wish)
  }

  #work(signal: AbortSignal, models: Models) {
    const { library, settings, options } = this.#parts
    return { library, models, settings: settings.index, signal, shared: options.shared }
  }
}
