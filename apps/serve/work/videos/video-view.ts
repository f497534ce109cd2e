import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { z } from 'zod'
import { encodeLanes } from '../../../../src/core/api/lanes-format.ts'
import { playable } from '../../../../src/core/api/playable.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
import type { RowPage, SearchReport } from '../../../../src/core/api/row.ts'
import type { FolderEntries, LookState, VideoDetails, VideoEntry, VideoState } from '../../../../src/core/api/video.ts'
import { absentAs, forbidden } from '../../../../src/core/errors.ts'
import { type Evidence, Track } from '../../../../src/core/evidence.ts'
import type { Span } from '../../../../src/core/time.ts'
import {
  type Coverage,
  isPartial,
  type PictureStream,
  type SearchQuery,
  type Video,
  type VideoIndex,
} from '../../../../src/core/video.ts'
import { isMedia } from '../../../../src/media/file/media-name.ts'
import { libraryDocument, shortRow, shortVideo } from '../../../../src/runtime/documents.ts'
import { type IndexedVideo, openStageReader } from '../../../../src/runtime/index/find-index.ts'
import { finishedIndex, listMissingStages, type Unfinished } from '../../../../src/runtime/index/finished-index.ts'
import { rowsSoFar } from '../../../../src/runtime/index/rows-so-far.ts'
import type { LocalRuntime } from '../../../../src/runtime/runtime.ts'
import { exists } from '../../../../src/store/read-file.ts'
import { readStagePeople } from '../../../../tools/stages/results.ts'
import type { AllowedFolder } from './find-video.ts'
import { indexVersion, type Listed, lookOver } from './listed-index.ts'
import type { ServedVideos } from './open-videos.ts'

export interface ServedRuntime {
  runtime: LocalRuntime
  open: ServedVideos
  isIndexing(id: string): boolean
  signal: AbortSignal
  listed(video: Video): Promise<Listed>
}

type Entry = Omit<VideoEntry, 'media'>
type CoverageOrWhyNot = Pick<IndexedVideo, 'coverage'> | Unfinished

export async function videoEntry(served: ServedRuntime, video: Video): Promise<Entry> {
  return buildEntry(served, video, await served.listed(video))
}

export async function videoDetails(served: ServedRuntime, video: Video): Promise<Omit<VideoDetails, 'media'>> {
  const lookedUp = await lookOver(video, lookWork(served), 'use')
  const details = 'coverage' in lookedUp ? await indexDetails(lookedUp) : {}
  const missing = 'coverage' in lookedUp ? [] : await listMissingStages(video, lookWork(served))
  return { ...(await buildEntry(served, video, lookedUp)), notes: video.notes, ...details, missing }
}

async function indexDetails({ coverage, overview, stages }: IndexedVideo): Promise<Partial<VideoDetails>> {
  const people = await readStagePeople(openStageReader(stages)('people'))
  return { coverage, overview, ...(people && { people }) }
}

async function buildEntry(served: ServedRuntime, video: Video, found: CoverageOrWhyNot): Promise<Entry> {
  const { name, bytes, container, picture, sound } = video
  const { way, type } = playable(video)
  const added = await dateAdded(served.runtime.library.videoFolder(video.id))
  return {
    ...shortVideo(video),
    name,
    bytes,
    ...(added && { added }),
    container,
    ...(picture && { picture: describePicture(picture) }),
    ...(sound && { sound: { codec: sound.codec, channels: sound.channels, language: sound.language } }),
    playback: way,
    type,
    state: await findVideoState(served, video, found),
    ...('why' in found ? { why: found.why } : { looked: lookedAt(found.coverage) }),
  }
}

// When its folder was made; a disk that does not tell says 1970.
async function dateAdded(folder: string): Promise<string | undefined> {
  const date = await stat(folder).then(({ birthtime }) => birthtime, absentAs(undefined))
  return date && date.getTime() > 0 ? date.toISOString() : undefined
}

function lookedAt({ picture, speech, text, sound }: Coverage): LookState {
  return { picture: picture.state, speech: speech.state, text: text.state, sound: sound.state }
}

function describePicture({ codec, width, height, frameRate }: PictureStream): VideoEntry['picture'] {
  return { codec, width, height, ...(frameRate !== undefined && { frameRate }) }
}

async function findVideoState(served: ServedRuntime, video: Video, found: CoverageOrWhyNot): Promise<VideoState> {
  if (served.isIndexing(video.id)) return 'indexing'
  if (!(await exists(video.path))) return 'gone'
  if ('why' in found) return found.what === 'changed' ? 'changed' : 'waiting'
  return isPartial(found.coverage) ? 'partial' : 'ready'
}

function lookFor(served: ServedRuntime, video: Video): Promise<IndexedVideo | Unfinished> {
  return finishedIndex(video, lookWork(served))
}

function lookWork({ runtime, signal }: ServedRuntime) {
  return { library: runtime.library, models: runtime.models, settings: runtime.settings.index, signal }
}

// Reads an index that is there. It is never made on the way.
export async function readIndex<T>(
  served: ServedRuntime,
  video: Video,
  read: (index: VideoIndex) => T | Promise<T>,
): Promise<T> {
  const { open } = served
  const listedIndex = await served.listed(video)
  const now =
    'why' in listedIndex || open.isOpen(video.id, listedIndex.version) ? listedIndex : await lookFor(served, video)
  if ('why' in now)
    throw new Refused(now.what === 'changed' ? 'changed' : 'conflict', `${video.name}: ${now.why}.`, indexIt(video))
  const version = 'version' in now ? now.version : indexVersion(now)
  return open.use(video.id, version, async ({ index }) => read(index))
}

function indexIt({ id }: Video): string {
  return `POST /api/videos/${id}/index`
}

const maxRows = 500

interface RowQuery {
  from?: number
  to?: number
  tracks?: Track[]
  cursor?: string
}

export function readRowPage(index: VideoIndex, { from, to, tracks, cursor }: RowQuery): z.input<typeof RowPage> {
  const span = from === undefined && to === undefined ? undefined : { start: from ?? 0, end: to ?? Number.MAX_VALUE }
  return rowPage(index.evidence({ tracks, span }), cursor)
}

// Of an index that is being made.
export async function readRowsSoFar(
  served: ServedRuntime,
  video: Video,
  { from = 0, to = Number.MAX_VALUE, tracks, cursor }: RowQuery,
): Promise<z.input<typeof RowPage>> {
  const rows = (await rowsSoFar(video, lookWork(served))).filter(
    ({ span, track }) => span.start < to && span.end > from && (tracks?.includes(track) ?? true),
  )
  return rowPage(rows, cursor)
}

function rowPage(all: readonly Evidence[], cursor = '0'): z.input<typeof RowPage> {
  const first = Number(cursor)
  const rows = all.slice(first, first + maxRows).map(row => ({ ...shortRow(row), doubtful: doubtfulWords(row) }))
  return { rows, ...(first + maxRows < all.length && { cursor: String(first + maxRows) }) }
}

const sure = 0.5 // confidence of a word

function doubtfulWords({ text, words }: Evidence): [start: number, end: number][] | undefined {
  let from = 0
  return words?.flatMap(word => {
    const start = text.indexOf(word.text, from)
    if (start < 0 || word.text === '') return []
    from = start + word.text.length
    return (word.confidence ?? 1) < sure ? [[start, from]] : []
  })
}

export function findRow(index: VideoIndex, id: string): Evidence {
  const row = index.byId(id)
  if (row) return row
  throw new Refused('unknown', 'The video has no row with this id.')
}

// Shots as they are cut, and the rows of every other track.
export function packLanes(index: VideoIndex): Uint8Array<ArrayBuffer> {
  const spansOf = (lane: Track): Span[] =>
    lane === 'shot' ? index.shots : index.evidence({ tracks: [lane] }).map(row => row.span)
  const silent = index.evidence({ tracks: ['sound'] }).flatMap(({ text }, at) => (/^silence\b/i.test(text) ? [at] : []))
  const lanes = Track.options
    .map(lane => ({ lane, spans: spansOf(lane), ...(lane === 'sound' && { silent }) }))
    .filter(({ spans }) => spans.length > 0)
  return encodeLanes({ video: index.video.id, duration: index.video.duration }, lanes)
}

// The kept frame that is nearest to a second of the video.
export async function stillAt(index: VideoIndex, second: number): Promise<{ jpeg: Uint8Array; time: number }> {
  const nearest = index.stills.reduce<number | undefined>((best, { time }, at) => {
    const before = best === undefined ? undefined : index.stills[best]
    return before && Math.abs(before.time - second) <= Math.abs(time - second) ? best : at
  }, undefined)
  if (nearest === undefined) throw new Refused('unknown', 'The video has no picture.')
  return { jpeg: await index.still(nearest), time: index.stills[nearest]?.time ?? second }
}

// In one video, or in all that have an index.
export async function replyToSearch(
  served: ServedRuntime,
  video: Video | undefined,
  asked: SearchQuery,
): Promise<z.input<typeof SearchReport>> {
  const query = { ...asked, onlyFitting: true }
  const { runtime, signal } = served
  const profile = runtime.profile.name
  if (!video) return libraryDocument(await runtime.allVideos.search(query, { signal }), profile)
  try {
    const { hits, coverage } = await readIndex(served, video, async index => ({
      hits: await index.search(query),
      coverage: index.coverage,
    }))
    const videoHits = hits.map(hit => ({ ...hit, video }))
    return libraryDocument({ hits: videoHits, searched: [{ video, coverage }], notSearched: [] }, profile)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const notSearched = [{ id: video.id, video, why: error.message, mend: error.hint ?? '' }]
    return libraryDocument({ hits: [], searched: [], notSearched }, profile)
  }
}

// Folders and media files, by name; hidden ones are left out. `path` is real and lies in the folder.
export async function listEntries(served: ServedRuntime, folder: AllowedFolder, path: string): Promise<FolderEntries> {
  const directory = await readdir(path, { withFileTypes: true }).catch(absentAs(undefined, ...forbidden))
  if (!directory) throw new Refused('unknown', 'The folder must be one that can be read.')
  const ids = new Map((await served.runtime.library.list()).map(video => [video.path, video.id]))
  const entries = await Promise.all(
    directory
      .filter(({ name }) => !name.startsWith('.'))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry): Promise<FolderEntries['entries']> => {
        const { name } = entry
        if (entry.isDirectory()) return [{ name, kind: 'folder' }]
        if (!entry.isFile() || !isMedia.test(name)) return []
        const size = await stat(join(path, name)).then(({ size }) => size, absentAs(undefined))
        const video = ids.get(join(path, name))
        return [{ name, kind: 'video', ...(size !== undefined && { bytes: size }), ...(video && { video }) }]
      }),
  )
  return { folder: folder.folder, path: relative(folder.path, path), entries: entries.flat() }
}
