import type { ClusterSettings } from '../../../src/config/cluster-settings.ts'
import { errorText, UsageError } from '../../../src/core/errors.ts'
import type { NotSearched } from '../../../src/core/library.ts'
import type { LibraryHit, LibraryOptions, LibrarySearch } from '../../../src/core/runtime.ts'
import { type SearchQuery, Video } from '../../../src/core/video.ts'
import { defaultHits } from '../../../src/core/words/default-hits.ts'
import type { FinishedWork } from '../../../src/runtime/index/finished-index.ts'
import {
  listLibraryVideos,
  refuseSingle,
  type SearchTables,
  searchEachVideo,
} from '../../../src/runtime/index/search-library.ts'
import { openDatabase } from '../data/database.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Database, Sql } from '../data/sql.ts'
import { databaseAddress } from '../open-cluster.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import { pictureQuery } from './picture-query.ts'
import { vectorState } from './shot-table.ts'

// The search of a cluster for who asks on this machine. Where the database does not answer, that is said, and the videos of this machine
// are searched.
export function openTables(
  settings: ClusterSettings,
  environment: Readonly<Record<string, string | undefined>>,
): { search: SearchTables; close(): Promise<void> } {
  let opened: Promise<Database> | undefined
  return {
    async search(work, query, options) {
      try {
        opened ??= openDatabase(databaseAddress(settings), { environment, connections: 2, patience: 3 })
        const hits = await searchTables(await opened, work, query, options)
        return hits.tables?.searched === 0 ? undefined : hits
      } catch (error) {
        if (work.signal.aborted || error instanceof UsageError) throw error
        opened = undefined
        const text = `The cluster cannot be searched, so only the videos of this machine are: ${errorText(error)}`
        options.watch?.({ type: 'note', text })
        return undefined
      }
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}

// The videos that win are opened and ranked as on one machine; most shown, so no more than that can win.
const maxOpened = 12
const perHit = 4 // candidates

// A search over all videos of a cluster: candidates from its tables, and the ranking from the indexes of the videos that they are in.
export async function searchTables(
  database: Pick<Database, 'query' | 'transaction'>,
  work: FinishedWork,
  query: SearchQuery,
  { within, watch, fast = false }: LibraryOptions = {},
): Promise<LibrarySearch> {
  refuseSingle(query)
  const max = query.k ?? defaultHits
  const only =
    within === undefined ? undefined : (await listLibraryVideos(work.library, within)).videos.map(({ id }) => id)
  const picture = await pictureQuery(work, query)
  const searchResult = await database.transaction(sql =>
    findCandidates(sql, { ...query, limit: perHit * max, ...(only && { only }), ...(picture && { picture }) }),
  )
  const tables = { searched: await countFilled(database, only), vectors: await vectorState(database) }
  const missing = await notFilled(database, only)
  const videos = await filledVideos(database, searchResult.videos.slice(0, Math.max(maxOpened, fast ? max : 0)))
  if (fast) return { hits: toHits(searchResult, videos, max), searched: [], notSearched: missing, tables }
  const opened: Video[] = []
  for (const video of videos) {
    const libraryVideo = await work.library.find(video.id)
    if (!libraryVideo) await work.library.save(video) // its results are pulled when they are opened
    opened.push(libraryVideo ?? video)
  }
  opened.sort((a, b) => (videoKey(a) < videoKey(b) ? -1 : 1)) // as a search of one machine goes through them: equal rows keep its order
  const { asked } = searchResult
  const whole = { size: asked.size, held: new Map(asked.words.map(({ text, rows }) => [text, rows])) }
  const ranked = await searchEachVideo(work, { ...query, k: max }, { videos: opened, unreadable: [] }, { watch, whole })
  return { ...ranked, notSearched: [...ranked.notSearched, ...missing], tables }
}

function videoKey({ name, id }: Video): string {
  return `${name}\n${id}`
}

function toHits({ lines }: Candidates, videos: readonly Video[], max: number): LibraryHit[] {
  const videoById = new Map(videos.map(video => [video.id, video]))
  return lines
    .flatMap(({ evidence, ...line }) => {
      const video = videoById.get(evidence.video)
      return video ? [{ video, evidence, lists: ['words'], ...line }] : []
    })
    .slice(0, max)
}

async function countFilled(sql: Sql, only: readonly string[] | undefined): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    'select count(*)::integer as n from longtake.filled where $1::text[] is null or video = any($1)',
    [only],
  )
  return rows[0]?.n ?? 0
}

const maxMissing = 200

async function notFilled(sql: Sql, only: readonly string[] | undefined): Promise<NotSearched[]> {
  const { rows } = await sql.query<{ id: string; name: string }>(
    `select id, name from longtake.video
    where not exists (select 1 from longtake.filled where filled.video = video.id)
      and ($1::text[] is null or id = any($1)) order by name, id limit ${maxMissing}`,
    [only],
  )
  const mend = 'Run: longtake index --queue'
  return rows.map(({ id, name }) => ({ id, why: `${name} is not in the tables of the cluster yet`, mend }))
}

async function filledVideos(sql: Sql, ids: readonly string[]): Promise<Video[]> {
  const { rows } = await sql.query<{ probe: unknown }>('select probe from longtake.filled where video = any($1)', [ids])
  const videos = new Map(rows.map(({ probe }) => parseRow(Video, probe, 'a video')).map(video => [video.id, video]))
  return ids.flatMap(id => videos.get(id) ?? [])
}
