import { dirname, sep } from 'node:path'
import { Refused } from '../../core/api/problem.ts'
import type { Evidence, Track } from '../../core/evidence.ts'
import type { VideoMemory } from '../../core/operation.ts'
import { clampSpan, type Span, touches } from '../../core/time.ts'
import { isVideoId, type Video, type VideoIndex } from '../../core/video.ts'
import { rowTracks } from '../../core/words/row-remarks.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { cutIndex } from '../cut-index.ts'
import { readTime, type TimeInput } from './read-time.ts'

// A video, or a folder of videos one after another, on one clock.
export interface Timeline {
  name: string
  duration: number // up to `until`
  until?: number // nothing from then on is known
  folder?: string // its path, if that was named
  parts: SourcePart[]
}

export interface SourcePart {
  video: Video
  offset: number // seconds of the clock at which it begins
}

const maxNamed = 8
const maxQuoted = 100 // characters of a name that nothing has
const order = new Intl.Collator('en', { numeric: true })

export async function openTimeline(memory: VideoMemory, given?: string, until?: TimeInput): Promise<Timeline> {
  const { videos, folder } = chooseVideos(await memory.videos(), given)
  const [first] = videos
  let duration = 0
  const parts = videos.map(video => {
    const offset = duration
    duration += video.duration
    return { video, offset }
  })
  const name = visibleFileName(videos.length === 1 ? (first?.name ?? '') : (given ?? ''))
  if (until === undefined) return { name, duration, parts, folder }
  const end = Math.min(duration, readTime(until, 'until'))
  if (end === 0) throw new Refused('usage', '"until" is the beginning of the video.', 'Name a later time.')
  return { name, duration: end, until: end, parts: parts.filter(({ offset }) => offset < end), folder }
}

// By its id, path or name, or those of a folder by its path or name.
function chooseVideos(
  videos: readonly Video[],
  given: string | undefined,
): { videos: readonly Video[]; folder?: string } {
  if (given === undefined) {
    if (videos.length === 1) return { videos }
    if (videos.length === 0) throw unknown('The library has no video.')
    throw new Refused('usage', `There are ${videos.length} videos: ${nameList(videos)}.`, 'Name one as "video".')
  }
  if (isVideoId(given)) {
    const video = videos.find(({ id }) => id === given)
    if (video) return { videos: [video] }
  }
  const plainName = given.toLowerCase()
  const matches: ((video: Video) => boolean)[] = [
    ({ path }) => path.toLowerCase() === plainName,
    ({ name }) => name.toLowerCase() === plainName,
    ({ name }) => name.toLowerCase().replace(/\.\w+$/, '') === plainName,
  ]
  for (const isMatch of matches) {
    const matching = videos.filter(isMatch)
    if (matching.length === 1) return { videos: matching }
    if (matching.length > 1)
      throw new Refused(
        'conflict',
        `${matching.length} videos have this name: ${nameList(matching)}.`,
        'Name one by its id.',
      )
  }
  const inFolder = videos.filter(({ path }) => folderNamed(path, given) !== undefined)
  const folders = new Set(inFolder.map(({ path }) => folderNamed(path, given)))
  const [folder] = folders
  if (folders.size > 1)
    throw new Refused(
      'conflict',
      `${folders.size} folders have this name: ${[...folders]
        .slice(0, maxNamed)
        .map(path => visibleFileName(path ?? ''))
        .join(', ')}.`,
      'Name one by its path.',
    )
  if (folder !== undefined) return { videos: inFolder.sort((a, b) => order.compare(a.path, b.path)), folder }
  throw unknown(`There is no video or folder "${visibleFileName(given.slice(0, maxQuoted))}".`)
}

// The folder above a file that has this path, or the end of it: "course/week1".
export function folderNamed(path: string, given: string): string | undefined {
  const name = given.replace(/[\\/]+$/, '').toLowerCase()
  for (let folder = dirname(path); name !== '' && folder !== dirname(folder); folder = dirname(folder))
    if (folder.toLowerCase() === name || folder.toLowerCase().endsWith(sep + name)) return folder
  return undefined
}

function unknown(message: string): Refused {
  return new Refused('unknown', message, 'GET /api/videos lists them.')
}

function nameList(videos: readonly Video[]): string {
  const names = videos.slice(0, maxNamed).map(({ id, name }) => `${visibleFileName(name)} (${id})`)
  return `${names.join(', ')}${videos.length > maxNamed ? ', ...' : ''}`
}

// The part that plays at a second.
export function partAt({ parts }: Timeline, second: number): SourcePart {
  const playing = parts.findLast(({ offset }) => offset <= second)
  if (playing) return playing
  throw new Error('A source has no part.')
}

// One after another the indexes of the parts that a span touches, cut off at `until`, with that span on their own clock.
export async function eachPart<Result>(
  memory: VideoMemory,
  source: Timeline,
  span: Span,
  work: (index: VideoIndex, local: Span, part: SourcePart) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const sourcePart of source.parts) {
    const { video, offset } = sourcePart
    const isTouched = touches(span, { start: offset, end: offset + video.duration })
    if (!isTouched && source.parts.length > 1) continue
    const local = clampSpan({ start: span.start - offset, end: span.end - offset }, video.duration)
    const until = source.until === undefined ? undefined : source.until - offset
    results.push(await memory.open(video, index => work(cutIndex(index, until), local, sourcePart)))
  }
  return results
}

export function shiftRow(row: Evidence, offset: number): Evidence {
  if (offset === 0) return row
  return { ...row, span: { start: row.span.start + offset, end: row.span.end + offset } }
}

export const readTracks = [...rowTracks, 'summary', 'shot'] as const satisfies Track[]
export const findableTracks = [...rowTracks, 'summary', 'picture'] as const satisfies Track[]
