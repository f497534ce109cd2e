import { z } from 'zod'
import { byTime, type Evidence, stamp, type Track } from '../../core/evidence.ts'
import type { Operation } from '../../core/operation.ts'
import type { OperationReply } from '../../core/operation-reply.ts'
import { formatMoment, type Span, spanLength, touches } from '../../core/time.ts'
import type { VideoIndex } from '../../core/video.ts'
import { indexLines } from '../../core/words/index-lines.ts'
import { momentInput, spanInputs, untilInput } from './inputs.ts'
import {
  eachPart,
  openTimeline,
  readMoment,
  readSpan,
  readTracks,
  shiftRow,
  type Timeline,
  usualTracks,
} from './source.ts'

const pageCharacters = 16_000
const cutsBelow = 60 // seconds of a span whose cuts are named
const shortId = 6 // characters of a row's id

const input = z.object({
  ...spanInputs,
  at: momentInput.describe('a time or a row id: all that overlaps it'),
  tracks: z.array(z.enum(readTracks)).optional().describe('left out: all but summary and shot'),
  page: z.number().int().min(1).optional(),
  until: untilInput,
})

export const readOperation: Operation<typeof input> = {
  name: 'read',
  description:
    'All rows of a span, of a moment (at), or of the whole video, in time order, counted: speech (said), text (written on screen), sound (heard), caption and person (seen). Use it to count, to list and to be sure that something is not there. "(0.58?)" marks speech that was recognised badly: words that sound alike may be swapped.',
  input,
  async run({ video, start, end, at, tracks, page = 1, until }, memory) {
    const source = await openTimeline(memory, video, until)
    const span = at === undefined ? readSpan(source, { start, end }) : await readMoment(memory, source, at)
    const chosenTracks = tracks ?? usualTracks
    const parts = await eachPart(memory, source, span, (index, local, { offset }) => ({
      rows: rowsIn(index, local, chosenTracks).map(row => shiftRow(row, offset)),
      cuts: index.shots.flatMap(shot =>
        shot.start > local.start && shot.start < local.end ? [shot.start + offset] : [],
      ),
      off: offTracks(index, chosenTracks),
    }))
    const rows = parts.flatMap(part => part.rows)
    const lines = rowLines(rows)
    if (lines.length === 0)
      return nothingThere(
        source,
        span,
        parts.flatMap(({ off }) => off),
      )
    const pages = splitPages(lines)
    const pageLines = pages[page - 1] ?? []
    const cuts = parts.flatMap(part => part.cuts)
    return {
      head: [
        `${countByTrack(lines)} in ${spanText(span)} of ${formatMoment(source.duration)}${pages.length > 1 ? `, page ${page} of ${pages.length}` : ''}.`,
        ...(spanLength(span) > 0 && spanLength(span) <= cutsBelow && cuts.length > 0
          ? [`The picture cuts at ${cuts.map(formatMoment).join(', ')}.`]
          : []),
        ...[...new Set(parts.flatMap(({ off }) => off))],
      ].join(' '),
      lines: pageLines.map(({ line }) => line),
      ...(page < pages.length && { next: `Next: the same with page ${page + 1}.` }),
    }
  },
}

// Rows as a host reads them, with the beginning of their ids.
export function rowLines(rows: readonly Evidence[]): ReturnType<typeof indexLines> {
  const short = rows.map(row => ({ ...row, id: row.id.slice(0, shortId) }))
  const confidences = new Map(short.map(({ id, confidence = 0 }) => [id, confidence.toFixed(2)]))
  return indexLines(short).map(one => ({ ...one, line: one.line.replace(' (?):', ` (${confidences.get(one.id)}?):`) }))
}

function rowsIn(index: VideoIndex, span: Span, tracks: readonly Track[]): Evidence[] {
  const rows = index.evidence({ tracks: [...tracks], span })
  if (!tracks.includes('shot') || rows.some(({ track }) => track === 'shot')) return rows
  const shots = index.shots.flatMap(({ start, end }, i) => {
    const shot = { span: { start, end }, track: 'shot' as const, text: `${i + 1} of ${index.shots.length}` }
    return touches(shot.span, span) ? [stamp(shot, index.video.id, 'shots/index')] : []
  })
  return [...rows, ...shots].sort(byTime)
}

// A track that was not indexed has no rows, which means nothing.
function offTracks({ coverage: { speech, text, sound, caption } }: VideoIndex, tracks: readonly Track[]): string[] {
  return Object.entries({ speech, text, sound, caption }).flatMap(([track, of]) =>
    of && tracks.includes(track as Track) && !['indexed', 'partial'].includes(of.state)
      ? [`The ${track} track is ${of.state}.`]
      : [],
  )
}

function nothingThere(source: Timeline, span: Span, off: readonly string[]): OperationReply {
  const spanWords = spanText(span)
  const around = `${formatMoment(Math.max(0, span.start - 15))}-${formatMoment(Math.min(source.duration, span.end + 15))}`
  return {
    head: [`No rows in ${spanWords}.`, ...new Set(off)].join(' '),
    lines: [],
    next: `Next: read ${around}, or view ${spanWords}: what is only seen is in no row.`,
  }
}

function countByTrack(lines: readonly { track: Track }[]): string {
  const tracks = [...new Set(lines.map(({ track }) => track))]
  return tracks.map(track => `${track} ${lines.filter(line => line.track === track).length}`).join(', ')
}

function splitPages<Line extends { line: string }>(lines: readonly Line[]): Line[][] {
  const pages: Line[][] = [[]]
  let size = 0
  for (const line of lines) {
    if (size + line.line.length > pageCharacters && size > 0) {
      pages.push([])
      size = 0
    }
    pages.at(-1)?.push(line)
    size += line.line.length + 1
  }
  return pages
}

export function spanText({ start, end }: Span): string {
  return start === end ? formatMoment(start) : `${formatMoment(start)}-${formatMoment(end)}`
}
