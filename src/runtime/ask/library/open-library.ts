import { AsyncResource } from 'node:async_hooks'
import { join } from 'node:path'
import type { LibraryParts } from '../../../../graphs/parts.ts'
import { InputError } from '../../../core/errors.ts'
import { libraryGraph } from '../../../core/library.ts'
import type { CallLog } from '../../../core/runtime.ts'
import type { Video } from '../../../core/video.ts'
import {
  type LibraryRequest,
  libraryWork,
  type OpenLibrary,
  type QuestionContext,
  type RuntimeParts,
} from '../../context.ts'
import { deepeningIndex } from '../../index/deepening-index.ts'
import { finishedIndex } from '../../index/finished-index.ts'
import type { OpenedIndex } from '../../index/open-index.ts'
import { listLibraryVideos, searchLibraryRows } from '../../index/search-library.ts'
import { callsInside } from '../calls-inside.ts'
import { openAgent } from '../open-agent.ts'

export async function openLibrarySearch(
  runtime: RuntimeParts,
  request: LibraryRequest,
  outer: AbortSignal,
): Promise<OpenLibrary> {
  const { library, options: overrides } = runtime
  const searchWork = libraryWork(runtime, outer)
  const search: LibraryParts['search'] = async (query, watch, signal) => {
    const options = { within: request.within, watch, signal }
    const by = { ...searchWork, signal }
    return (await overrides.searchTables?.(by, query, options)) ?? searchLibraryRows(by, query, options)
  }
  const { videos } = await listLibraryVideos(library, request.within)
  return {
    request,
    index: indexOfAll(videos, request.within ?? join(library.home, 'library')),
    parts: (calls, reply) => {
      // A graph that is begun inside of a node would be taken for a part of the outer one, and leave its checkpoints among those.
      const outside = new AsyncResource('longtake-ask-in-video')
      return {
        k: request.k,
        search,
        ask: (id, question, { budget, watch, signal }) =>
          outside.runInAsyncScope(() =>
            askInVideo(runtime, id, {
              question,
              graph: request.graph,
              options: { budget, watch, signal, reply, calls: callsInside(calls, { video: id }) },
            }),
          ),
      }
    },
  }
}

// As a question about one video, but for its run: what is looked at closely for the question is kept here too.
async function askInVideo(
  runtime: RuntimeParts,
  id: string,
  asked: Pick<QuestionContext, 'question' | 'graph' | 'options'> & { options: { calls: CallLog } },
) {
  const { library, models, settings } = runtime
  const { question, options } = asked
  const { signal, watch, reply, calls } = options
  const video = await library.find(id)
  if (!video) throw new InputError(`The video ${id} is no longer known.`)
  const indexed = await finishedIndex(video, libraryWork(runtime, signal))
  if ('why' in indexed) throw new InputError(`It cannot be asked: ${indexed.why}.`, { hint: indexed.mend })
  const folder = library.videoFolder(id)
  const open = await deepeningIndex(indexed, { folder, models, settings: settings.index, signal, watch })
  try {
    const index = await open.touch(question.text, watch, signal)
    const agent = await openAgent({ ...asked, runtime, index }, calls)
    return { state: await agent({ question, reply, watch }), coverage: index.coverage }
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
