import { AsyncResource } from 'node:async_hooks'
import { join } from 'node:path'
import { libraryGraph } from '../../../../graphs/index.ts'
import type { LibraryParts } from '../../../../graphs/parts.ts'
import type { Config } from '../../../config/schema.ts'
import { InputError } from '../../../core/errors.ts'
import type { AskOptions, CallLog } from '../../../core/runtime.ts'
import type { Video } from '../../../core/video.ts'
import { deepeningIndex } from '../../index/deepening-index.ts'
import { type FinishedWork, finishedIndex } from '../../index/finished-index.ts'
import type { OpenedIndex } from '../../index/open-index.ts'
import { listLibraryVideos, type SearchTables, searchLibraryRows } from '../../index/search-library.ts'
import { callsInside } from '../calls-inside.ts'
import { type AskWork, askIndex } from '../run-graph.ts'

// What is kept of a question over all videos, so that it can be resumed.
export interface LibraryWish {
  within?: string // a folder
  k: number
  graph: string // that is asked in each video
}

// All videos as one thing that is asked about.
export interface OpenLibrary {
  wish: LibraryWish
  index: OpenedIndex
  parts(calls: CallLog, reply?: AskOptions['reply']): LibraryParts
}

export interface LibraryWork extends FinishedWork {
  all: Config
  searchTables?: SearchTables // in place of a look into every index
}

export async function openLibrarySearch(work: LibraryWork, wish: LibraryWish): Promise<OpenLibrary> {
  const { library } = work
  const search: LibraryParts['search'] = async (query, watch, signal) => {
    const options = { within: wish.within, watch, signal }
    const by = { ...work, signal }
    return (await work.searchTables?.(by, query, options)) ?? searchLibraryRows(by, query, options)
  }
  const { videos } = await listLibraryVideos(library, wish.within)
  return {
    wish,
    index: indexOfAll(videos, wish.within ?? join(library.home, 'library')),
    parts: (calls, reply) => {
      // A graph that is begun inside of a node would be taken for a part of the outer one, and leave its checkpoints among those.
      const outside = new AsyncResource('longtake-ask-in-video')
      return {
        k: wish.k,
        search,
        ask: (id, question, { budget, watch, signal }) =>
          outside.runInAsyncScope(async () => {
            const graphInput = {
              question,
              budget,
              watch,
              signal,
              reply,
              graph: wish.graph,
              calls: callsInside(calls, { video: id }),
            }
            return askInVideo(work, id, graphInput)
          }),
      }
    },
  }
}

type AskedInside = Pick<AskWork, 'question' | 'budget' | 'watch' | 'signal' | 'reply' | 'graph' | 'calls'>

// As one would ask it alone, but for its run: what is looked at closely for the question is kept here too.
async function askInVideo(work: LibraryWork, id: string, asked: AskedInside) {
  const { library, models, settings } = work
  const { signal, watch, question } = asked
  const video = await library.find(id)
  if (!video) throw new InputError(`The video ${id} is no longer known.`)
  const indexed = await finishedIndex(video, { ...work, signal })
  if ('why' in indexed) throw new InputError(`It cannot be asked: ${indexed.why}.`, { hint: indexed.mend })
  const open = await deepeningIndex(indexed, { folder: library.videoFolder(id), models, settings, signal, watch })
  try {
    const index = await open.touch(question.text, watch, signal)
    const state = await askIndex({ ...asked, index, models, settings: work.all })
    return { state, coverage: index.coverage }
  } finally {
    await open.close()
  }
}

// What stands where a video's index stands. It holds nothing: each video is asked by itself.
function indexOfAll(videos: readonly Video[], path: string): OpenedIndex {
  const duration = videos.reduce((sum, video) => sum + video.duration, 0)
  const track = { state: 'indexed' as const, spans: [], items: 0 }
  const nothing = async () => {
    throw new Error('All videos together have no index.')
  }
  return {
    video: {
      ...{ id: libraryGraph, path, name: `${videos.length} videos`, bytes: 0, container: '', start: 0, duration },
      ...{ otherSounds: [], subtitles: [], sidecars: [], notes: [] },
    },
    coverage: { duration, picture: track, speech: track, sound: track, text: track, notes: [] },
    overview: { duration, shots: 0, speakers: [], chapters: [], notIndexed: [] },
    shots: [],
    stills: [],
    evidence: () => [],
    byId: () => undefined,
    search: async () => [],
    ranked: nothing,
    still: nothing,
    audio: async () => undefined,
    key: '',
    close: async () => {},
  }
}
