import { preloadGraph } from '../../graphs/index.ts'
import type { Question } from '../core/agent.ts'
import { UsageError } from '../core/errors.ts'
import { libraryGraph } from '../core/library.ts'
import type { AllVideoActions, AskLibraryOptions, AskReport, LibraryOptions, LibrarySearch } from '../core/runtime.ts'
import type { SearchQuery } from '../core/video.ts'
import { checkQuestion } from '../text/question/check-question.ts'
import { answerQuestion, checkAnswering } from './ask.ts'
import { libraryWork, type RuntimeParts, watchOptions } from './context.ts'

// In how many videos a question over all of them is asked at most.
const usualVideos = 4

// Every video that has an index, at once; makes no index.
export class AllVideos implements AllVideoActions {
  readonly #parts: RuntimeParts

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  async search(query: SearchQuery, options: LibraryOptions = {}): Promise<LibrarySearch> {
    const { signal = this.#parts.host.signal, ...given } = options
    const { searchLibraryRows } = await import('./index/search-library.ts')
    const searchWork = libraryWork(this.#parts, signal)
    const tableHits = await this.#parts.options.searchTables?.(searchWork, query, given)
    if (tableHits) return tableHits
    if (!given.fast) return searchLibraryRows(searchWork, query, given)
    throw new UsageError('Only the tables of a cluster have candidates to show fast, and there are none.', {
      hint: 'Leave out --fast: every index is then looked into.',
    })
  }

  async ask(question: Question, given: AskLibraryOptions = {}): Promise<AskReport> {
    const runtime = this.#parts
    const { within, k = usualVideos, graph: graphName, ...asked } = given
    const options = watchOptions(runtime, asked)
    checkQuestion(question)
    preloadGraph(libraryGraph)
    const graph = await checkAnswering(runtime, graphName)
    const { openLibrarySearch } = await import('./ask/library/open-library.ts')
    const request = { ...(within !== undefined && { within }), k, graph }
    const library = await openLibrarySearch(runtime, request, options.signal)
    await runtime.models.leaveCard()
    return answerQuestion({ runtime, index: library.index, question, graph: libraryGraph, options, library })
  }
}
