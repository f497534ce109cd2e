import { z } from 'zod'
import { Refused } from '../../../../../src/core/api/problem.ts'
import { byTime, type Evidence, stamp, Track } from '../../../../../src/core/evidence.ts'
import { formatMoment, type Span, touches } from '../../../../../src/core/time.ts'
import type { VideoIndex } from '../../../../../src/core/video.ts'
import { readIndex } from '../../../work/videos/video-view.ts'
import { defineMcpTool } from '../define-tool.ts'
import { fillPage } from '../fill-page.ts'
import { findVideoByName } from '../find.ts'
import {
  cursorInput,
  cursorOutput,
  McpMoment,
  momentLine,
  secondOf,
  timeInput,
  toMoment,
  videoInput,
} from '../shapes.ts'

export const read = defineMcpTool({
  name: 'read',
  title: 'Read a span',
  description:
    'Gives all rows of a span of one video, or of all of it, in order of time: what is said, written on screen, heard, and its shots. "(?)" marks speech that was recognised badly.',
  input: z.object({
    video: videoInput,
    from: timeInput.optional(),
    to: timeInput.optional(),
    tracks: z.array(Track).optional().describe('left out: all but shots and silence'),
    cursor: cursorInput,
  }),
  output: z.object({ rows: z.array(McpMoment), total: z.number(), cursor: cursorOutput }),
  annotations: { readOnlyHint: true },
  async run({ video: given, from = 0, to, tracks, cursor }, { place }) {
    const video = await findVideoByName(place, given)
    const start = secondOf(from, 'from', video)
    const end = to === undefined ? video.duration : secondOf(to, 'to', { duration: Number.POSITIVE_INFINITY })
    if (end < start)
      throw new Refused(
        'usage',
        `"from" (${formatMoment(start)}) is later than "to" (${formatMoment(end)}).`,
        'Swap them.',
      )
    const rows = await readIndex(place.served, video, index => rowsOf(index, { start, end }, tracks))
    const page = fillPage(
      rows.map(row => ({ item: toMoment(row), words: momentLine(row) })),
      cursor,
    )
    return {
      summary: `${rows.length} rows; ${page.items.length} of them here.`,
      words: page.words,
      data: { rows: page.items, total: rows.length, ...(page.cursor !== undefined && { cursor: page.cursor }) },
    }
  },
})

function rowsOf(index: VideoIndex, span: Span, tracks: Track[] | undefined): Evidence[] {
  const rows = index.evidence({ tracks, span }).filter(row => tracks || !isSilence(row))
  const lacksShots = tracks?.includes('shot') && index.evidence({ tracks: ['shot'] }).length === 0
  return lacksShots ? [...rows, ...shotsOf(index, span)].sort(byTime) : rows
}

function isSilence({ track, text }: Evidence): boolean {
  return track === 'sound' && text === 'silence'
}

function shotsOf({ shots, video }: VideoIndex, span: Span): Evidence[] {
  return shots.flatMap(({ start, end }, at) => {
    const text = `shot ${at + 1} of ${shots.length}`
    return touches({ start, end }, span)
      ? [stamp({ span: { start, end }, track: 'shot', text }, video.id, 'shots/index')]
      : []
  })
}
