import { errorText, LongtakeError, UsageError } from '../../core/errors.ts'
import type { LibrarySearch, NotSearched } from '../../core/runtime.ts'
import type { SearchQuery } from '../../core/video.ts'
import { mergeVideos } from '../../search/rank-across-videos.ts'
import type { RankedVideo } from '../../search/video-index.ts'
import { checkQuery } from '../ask/check-question.ts'
import type { Indexed } from './find-index.ts'
import { type FinishedWork, finishedIndex } from './finished-index.ts'
import { openIndex } from './open-index.ts'

const usualHits = 12
const minRows = 24 // that each list of a video hands over

// Looks into every video that has an index, one after another: only one is open at a time, and none is made. What could not be
// looked into is named with the reason.
export async function searchLibrary(work: FinishedWork, query: SearchQuery): Promise<LibrarySearch> {
  refuseSingle(query)
  checkQuery(query)
  const max = query.k ?? usualHits
  const found: RankedVideo[] = []
  const searched: LibrarySearch['searched'] = []
  const { videos, unreadable } = await work.library.survey()
  const notSearched: NotSearched[] = unreadable.map(one => ({ ...one, mend: 'Index its file again.' }))
  for (const video of videos) {
    work.signal.throwIfAborted()
    try {
      const indexed = await finishedIndex(video, work)
      if ('why' in indexed) {
        const { why, mend } = indexed
        notSearched.push({ id: video.id, video, why, mend })
        continue
      }
      found.push(await look(indexed, work, query, Math.max(minRows, 2 * max)))
      searched.push({ video, coverage: indexed.coverage })
    } catch (error) {
      if (work.signal.aborted || error instanceof UsageError) throw error
      const mend = error instanceof LongtakeError ? error.hint : undefined
      const why = `its index cannot be read: ${errorText(error)}`
      notSearched.push({ id: video.id, video, why, mend: mend ?? verify })
    }
  }
  return { hits: mergeVideos(found, max), searched, notSearched }
}

const verify = '"longtake cache verify" moves damaged results away; "longtake index" makes them again.'

async function look(
  indexed: Indexed,
  { models, settings, signal }: FinishedWork,
  query: SearchQuery,
  rows: number,
): Promise<RankedVideo> {
  const index = await openIndex(indexed, models, settings, signal)
  try {
    return await index.ranked(query, rows)
  } finally {
    await index.close()
  }
}

// The nth moment and the frame at a second are of one video.
function refuseSingle({ nth, frame }: SearchQuery): void {
  if (nth === undefined && frame === undefined) return
  const what = nth === undefined ? 'A frame' : 'The nth moment'
  throw new UsageError(`${what} can be looked for in one video only.`, { hint: 'Name the video.' })
}
