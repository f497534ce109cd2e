import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Watch } from '../../core/agent.ts'
import { errorText, LongtakeError, UsageError } from '../../core/errors.ts'
import type { NotSearched } from '../../core/library.ts'
import type { LibraryOptions, LibrarySearch } from '../../core/runtime.ts'
import type { SearchQuery } from '../../core/video.ts'
import { defaultHits } from '../../core/words/default-hits.ts'
import { mergeVideos, type QueryWordCounts } from '../../search/rank-across-videos.ts'
import type { RankedVideo } from '../../search/video-index.ts'
import type { Library } from '../../store/library/library.ts'
import { checkQuery } from '../../text/question/check-question.ts'
import type { IndexedVideo } from './find-index.ts'
import { type FinishedWork, finishedIndex } from './finished-index.ts'
import { openIndex } from './open-index.ts'

const minRows = 24 // that each list of a video hands over

// Looks into every video that has an index, one after another: only one is open at a time, and none is made. What could not be
// looked into is named with the reason.
export async function searchLibraryRows(
  work: FinishedWork,
  query: SearchQuery,
  { within, watch = () => {} }: Pick<LibraryOptions, 'within' | 'watch'> = {},
): Promise<LibrarySearch> {
  refuseSingle(query)
  checkQuery(query)
  return searchEachVideo(work, query, await listLibraryVideos(work.library, within), { watch })
}

// The search of a cluster, by tables of all that its machines have indexed. Undefined: it has none, or does not answer, which it says.
export type SearchTables = (
  work: FinishedWork,
  query: SearchQuery,
  options: LibraryOptions,
) => Promise<LibrarySearch | undefined>

// Into those videos only, with how often its words stand in all of the library where they are a part of it.
export async function searchEachVideo(
  work: FinishedWork,
  query: SearchQuery,
  { videos, unreadable }: Awaited<ReturnType<Library['survey']>>,
  { watch = () => {}, whole }: { watch?: Watch; whole?: QueryWordCounts } = {},
): Promise<LibrarySearch> {
  const max = query.k ?? defaultHits
  const rankedVideos: RankedVideo[] = []
  const searched: LibrarySearch['searched'] = []
  const notSearched: NotSearched[] = unreadable.map(one => ({ ...one, mend: 'Index its file again.' }))
  const progress = everySeconds(3, text => watch({ type: 'note', text }))
  for (const [at, video] of videos.entries()) {
    work.signal.throwIfAborted()
    progress(() => `Searched ${at} of ${videos.length} videos.`)
    try {
      const indexed = await finishedIndex(video, work)
      if ('why' in indexed) {
        const { why, mend } = indexed
        notSearched.push({ id: video.id, video, why, mend })
        continue
      }
      rankedVideos.push(await look(indexed, work, query, Math.max(minRows, 2 * max)))
      searched.push({ video, coverage: indexed.coverage })
    } catch (error) {
      if (work.signal.aborted || error instanceof UsageError) throw error
      const mend = error instanceof LongtakeError ? error.hint : undefined
      const why = `its index cannot be read: ${errorText(error)}`
      notSearched.push({ id: video.id, video, why, mend: mend ?? verify })
    }
  }
  return { hits: mergeVideos(rankedVideos, max, { whole, onlyFitting: query.onlyFitting }), searched, notSearched }
}

// Those whose file lies below a folder, or all. What is not readable has no path, so it may lie there.
export async function listLibraryVideos(library: Library, within?: string): ReturnType<Library['survey']> {
  const all = await library.survey()
  if (within === undefined) return all
  const real = await realpath(within).catch(() => within)
  const below = (path: string) => [within, real].some(folder => path.startsWith(folder.replace(/[\\/]*$/, sep)))
  const videos = all.videos.filter(({ path }) => below(path))
  if (videos.length > 0) return { ...all, videos }
  throw new UsageError(`No known video lies in ${within}.`, {
    hint: `Index what is in it: longtake index ${join(within, '*')}`,
  })
}

function everySeconds(seconds: number, say: (text: string) => void): (text: () => string) => void {
  let last = performance.now()
  return text => {
    if (performance.now() - last < seconds * 1000) return
    last = performance.now()
    say(text())
  }
}

const verify = '"longtake config cache verify" moves damaged results away; "longtake index" makes them again.'

async function look(
  indexed: IndexedVideo,
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
export function refuseSingle({ nth, frame }: SearchQuery): void {
  if (nth === undefined && frame === undefined) return
  const what = nth === undefined ? 'A frame' : 'The nth moment'
  throw new UsageError(`${what} can be looked for in one video only.`, { hint: 'Name the video.' })
}
