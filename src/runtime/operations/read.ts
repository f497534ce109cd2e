import { z } from 'zod'
import { Refused } from '../../core/api/problem.ts'
import { byTime, type Evidence, stamp, type Track } from '../../core/evidence.ts'
import type { Operation } from '../../core/operation.ts'
import type { OperationReply } from '../../core/operation-reply.ts'
import { formatMoment, type Span, spanLength, touches } from '../../core/time.ts'
import type { VideoIndex } from '../../core/video.ts'
import { indexLines } from '../../core/words/index-lines.ts'
import { rowTracks, unindexedTracks } from '../../core/words/row-remarks.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { chooseSpan } from './choose-span.ts'
import { momentInput, spanInputs, untilInput } from './inputs.ts'
import { eachPart, openTimeline, readTracks, shiftRow, type Timeline } from './source.ts'

const pageCharacters = 16_000
const cutsBelow = 60 // seconds of a span whose cuts are named
const shortId = 6 // characters of a row's id
const wholeRow = 6000 // characters of one that is read at its id

const input = z.object({
  ...spanInputs,
  at: momentInput.describe('a time or a row id: all that overlaps it, in full'),
  tracks: z.array(z.enum(readTracks)).min(1).optional().describe('left out: all but summary and shot'),
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
    const span = await chooseSpan(memory, source, { start, end, at })
    const chosenTracks: readonly Track[] = tracks ?? rowTracks
    const isFolder = source.parts.length > 1
    const parts = await eachPart(memory, source, span, (index, local, { offset, video }) => {
      const rows = rowsIn(index, local, chosenTracks).map(row => shiftRow(row, offset))
      const off = unindexedTracks(index.coverage, chosenTracks)
      const name = `video ${visibleFileName(video.name)} from ${formatMoment(offset)}${off.length > 0 ? `, not looked at: ${off.join(', ')}` : ''}`
      return {
        rows: rowLines(rows, at === undefined ? undefined : wholeRow),
        names: isFolder ? [{ line: name }] : [],
        cuts: index.shots.flatMap(shot =>
          shot.start > local.start && shot.start < local.end ? [shot.start + offset] : [],
        ),
        off: isFolder || off.length === 0 ? [] : [`Not looked at: ${off.join(', ')}.`],
      }
    })
    const lines = parts.flatMap(({ rows }) => rows)
    const off = parts.flatMap(part => part.off)
    if (lines.length === 0) return nothingThere(source, span, { off, isNarrow: tracks !== undefined })
    const pages = splitPages(parts.flatMap(({ names, rows }) => [...names, ...rows]))
    const pageLines = pages[page - 1]
    if (!pageLines)
      throw new Refused('usage', `There is no page ${page}: the last is ${pages.length}.`, 'Name an earlier page.')
    const cuts = parts.flatMap(part => part.cuts)
    return {
      head: [
        `${countByTrack(lines)} in ${spanText(span)} of ${formatMoment(source.duration)}${pages.length > 1 ? `, page ${page} of ${pages.length}` : ''}.`,
        ...(spanLength(span) > 0 && spanLength(span) <= cutsBelow && cuts.length > 0
          ? [`The picture cuts at ${cuts.map(formatMoment).join(', ')}.`]
          : []),
        ...off,
      ].join(' '),
      lines: pageLines.map(({ line }) => line),
      ...(page < pages.length && { next: `Next: the same with page ${page + 1}.` }),
    }
  },
}

// Rows as a host reads them, with the beginning of their ids.
export function rowLines(rows: readonly Evidence[], longest?: number): ReturnType<typeof indexLines> {
  const short = rows.map(row => ({ ...row, id: row.id.slice(0, shortId) }))
  const confidences = new Map(short.map(({ id, confidence = 0 }) => [id, confidence.toFixed(2)]))
  return indexLines(short, longest).map(one => ({
    ...one,
    line: one.line.replace(' (?):', ` (${confidences.get(one.id)}?):`),
  }))
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

function nothingThere(
  { duration }: Timeline,
  span: Span,
  { off, isNarrow }: { off: readonly string[]; isNarrow: boolean },
): OperationReply {
  const spanWords = spanText(span)
  const around = { start: Math.max(0, span.start - 15), end: Math.min(duration, span.end + 15) }
  const isWider = spanLength(around) > spanLength(span)
  const wider = [...(isNarrow ? ['read it without "tracks"'] : []), ...(isWider ? [`read ${spanText(around)}`] : [])]
  return {
    head: [`No rows ${isNarrow ? 'of these tracks ' : ''}in ${spanWords}.`, ...off].join(' '),
    lines: [],
    next: `Next: ${[...wider, `view ${spanWords}: what is only seen is in no row.`].join(', or ')}`,
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
