import { dirname, sep } from 'node:path'
import { Refused } from '../../core/api/problem.ts'
import type { Evidence, Track } from '../../core/evidence.ts'
import type { VideoMemory } from '../../core/operation.ts'
import { clampSpan, formatMoment, parseTime, type Span, touches } from '../../core/time.ts'
import { isVideoId, type Video, type VideoIndex } from '../../core/video.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { cutIndex } from './cut-index.ts'

// A video, or a folder of videos one after another, on one clock.
export interface Timeline {
  name: string
  duration: number // up to `until`
  until?: number // nothing from then on is known
  parts: SourcePart[]
}

export interface SourcePart {
  video: Video
  offset: number // seconds of the clock at which it begins
}

export type TimeInput = string | number

const maxNamed = 8
const maxTime = 40 // characters
const order = new Intl.Collator('en', { numeric: true })

export async function openTimeline(memory: VideoMemory, given?: string, until?: TimeInput): Promise<Timeline> {
  const videos = chooseVideos(await memory.videos(), given)
  const [first] = videos
  let duration = 0
  const parts = videos.map(video => {
    const offset = duration
    duration += video.duration
    return { video, offset }
  })
  const name = visibleFileName(videos.length === 1 ? (first?.name ?? '') : (given ?? ''))
  if (until === undefined) return { name, duration, parts }
  const end = Math.min(duration, readTime(until, 'until'))
  return { name, duration: end, until: end, parts: parts.filter(({ offset }) => offset < end) }
}

// By its id, path or name, or those of a folder by its path or name.
function chooseVideos(videos: readonly Video[], given: string | undefined): Video[] {
  if (given === undefined) {
    if (videos.length === 1) return [...videos]
    if (videos.length === 0) throw unknown('The library has no video.')
    throw new Refused('usage', `There are ${videos.length} videos: ${nameList(videos)}.`, 'Name one as "video".')
  }
  if (isVideoId(given)) {
    const video = videos.find(({ id }) => id === given)
    if (video) return [video]
  }
  const plainName = given.toLowerCase().replace(/[\\/]+$/, '')
  const matches: ((video: Video) => boolean)[] = [
    ({ path }) => path.toLowerCase() === plainName,
    ({ name }) => name.toLowerCase() === plainName,
    ({ name }) => name.toLowerCase().replace(/\.\w+$/, '') === plainName,
  ]
  for (const isMatch of matches) {
    const matching = videos.filter(isMatch)
    if (matching.length === 1) return matching
    if (matching.length > 1)
      throw new Refused(
        'conflict',
        `${matching.length} videos have this name: ${nameList(matching)}.`,
        'Name one by its id.',
      )
  }
  const folder = videos.filter(({ path }) => {
    const lower = dirname(path).toLowerCase()
    return lower === plainName || lower.startsWith(plainName + sep) || lower.endsWith(sep + plainName)
  })
  if (folder.length > 0) return folder.sort((a, b) => order.compare(a.path, b.path))
  throw unknown('There is no video or folder with this id or name.')
}

function unknown(message: string): Refused {
  return new Refused('unknown', message, 'GET /api/videos lists them.')
}

function nameList(videos: readonly Video[]): string {
  const names = videos.slice(0, maxNamed).map(({ id, name }) => `${visibleFileName(name)} (${id})`)
  return `${names.join(', ')}${videos.length > maxNamed ? ', ...' : ''}`
}

export function readTime(given: TimeInput, name: string): number {
  const second = String(given).length > maxTime ? undefined : parseTime(given)
  if (second !== undefined) return second
  throw new Refused(
    'usage',
    `"${name}" is not a time: ${JSON.stringify(String(given).slice(0, maxTime))}.`,
    'Write "3:20.5", or seconds.',
  )
}

// The span that is asked for; by default from the beginning to the end.
export function readSpan(
  { duration, name }: Timeline,
  { start = 0, end }: { start?: TimeInput; end?: TimeInput },
): Span {
  const from = readTime(start, 'start')
  const to = end === undefined ? duration : readTime(end, 'end')
  if (from > duration || (from === duration && duration > 0))
    throw new Refused(
      'usage',
      `${formatMoment(from)} is no moment of ${name}: it ends at ${formatMoment(duration)}.`,
      'Name an earlier time.',
    )
  if (from > to)
    throw new Refused(
      'usage',
      `"start" (${formatMoment(from)}) is later than "end" (${formatMoment(to)}).`,
      'Swap them.',
    )
  return { start: from, end: Math.min(to, duration) }
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

// A moment, or the span of a row that is named by the beginning of its id.
export async function readMoment(memory: VideoMemory, source: Timeline, at: TimeInput): Promise<Span> {
  if (typeof at === 'string' && /^[a-z][0-9a-f]{4,10}$/.test(at)) {
    const all = await eachPart(memory, source, { start: 0, end: source.duration }, (index, _, { offset }) =>
      index
        .evidence()
        .filter(({ id }) => id.startsWith(at))
        .map(row => shiftRow(row, offset)),
    )
    const [row, other] = all.flat()
    if (!row) throw new Refused('unknown', `There is no row ${at}.`, 'Name a time as "3:20.5".')
    if (other)
      throw new Refused('conflict', `Several rows begin with ${at}: ${row.id}, ${other.id}.`, 'Name one of them.')
    return row.span
  }
  const { start } = readSpan(source, { start: at })
  return { start, end: start }
}

export function shiftRow(row: Evidence, offset: number): Evidence {
  if (offset === 0) return row
  return { ...row, span: { start: row.span.start + offset, end: row.span.end + offset } }
}

const rowTracks = ['speech', 'text', 'sound', 'caption', 'person'] as const satisfies Track[]
export const readTracks = [...rowTracks, 'summary', 'shot'] as const satisfies Track[]
export const findableTracks = [...rowTracks, 'summary', 'picture'] as const satisfies Track[]
export const usualTracks: readonly Track[] = rowTracks
