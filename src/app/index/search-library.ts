import { errorText, LongtakeError, UsageError } from '../../core/errors.ts'
import type { LibrarySearch, NotSearched } from '../../core/runtime.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { SearchQuery, Video } from '../../core/video.ts'
import { sidecarsOf } from '../../media/file/sidecars.ts'
import { mergeVideos } from '../../search/rank-across-videos.ts'
import type { RankedVideo } from '../../search/video-index.ts'
import type { Library } from '../../store/library/library.ts'
import { findStage } from '../../store/stage/stage.ts'
import { checkStage } from '../../store/stage/stage-check.ts'
import { checkQuery } from '../ask/check-question.ts'
import type { Models } from '../models/models.ts'
import { isUnchanged } from './content/guard.ts'
import { findWhole, type Indexed } from './find-index.ts'
import { openIndex } from './open-index.ts'
import { trustOf } from './plan-stages.ts'

interface LibraryWork {
  library: Library
  models: Models
  settings: IndexSettings
  signal: AbortSignal
}

const usualHits = 12
const minRows = 24 // that each list of a video hands over

// Looks into every video that has an index, one after another: only one is open at a time, and none is made. What could not be
// looked into is named with the reason.
export async function searchLibrary(work: LibraryWork, query: SearchQuery): Promise<LibrarySearch> {
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
      const indexed = await finished(video, work)
      if ('why' in indexed) {
        notSearched.push({ id: video.id, video, ...indexed })
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
  { models, settings, signal }: LibraryWork,
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

// The whole index of a video as the settings want it, or what is wrong with it. Changes nothing on disk.
async function finished(known: Video, work: LibraryWork): Promise<Indexed | { why: string; mend: string }> {
  const { library, models, settings, signal } = work
  const video = { ...known, sidecars: await sidecarsOf(known.path, known.name) }
  const folder = library.videoFolder(video.id)
  const watch = () => {}
  const mend = `longtake index ${video.path}`
  if (!(await isUnchanged(video, folder, { trust: trustOf(settings), watch, signal })))
    return { why: 'its file has changed since it was indexed', mend }
  const faults: string[] = []
  const whole = await findWhole({ video, folder, models, settings, watch, signal }, async ({ stage, key }) => {
    const check = await checkStage(folder, stage, key, 'use')
    if (check.state === 'newer') throw check.error
    if (check.state === 'damaged') faults.push(`${stage}: ${check.fault}`)
    return check.state === 'whole' ? findStage(folder, stage, key) : undefined
  })
  if (faults.length > 0) return { why: `its index is damaged (${faults.join('; ')})`, mend }
  return whole ?? { why: 'it has no index made with these settings', mend }
}

// The nth moment and the frame at a second are of one video.
function refuseSingle({ nth, frame }: SearchQuery): void {
  if (nth === undefined && frame === undefined) return
  const what = nth === undefined ? 'A frame' : 'The nth moment'
  throw new UsageError(`${what} can be looked for in one video only.`, { hint: 'Name the video.' })
}
