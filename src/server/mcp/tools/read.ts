import { z } from 'zod'
import { readIndex } from '../../../app/serve/videos/video-view.ts'
import { longRowLine, Track } from '../../../core/evidence.ts'
import { defineTool } from '../define-tool.ts'
import { fillPage } from '../fill-page.ts'
import { videoOf } from '../find.ts'
import { cursorInput, cursorOutput, Moment, momentOf, videoInput } from '../shapes.ts'

export const read = defineTool({
  name: 'read',
  title: 'Read a span',
  description:
    'Gives all rows of a span of one video in order of time: what is said, written on screen, heard and seen.',
  input: z.object({
    video: videoInput,
    from: z.number().min(0).describe('seconds'),
    to: z.number().min(0).describe('seconds'),
    tracks: z.array(Track).optional().describe('left out: all'),
    cursor: cursorInput,
  }),
  output: z.object({ rows: z.array(Moment), total: z.number(), cursor: cursorOutput }),
  annotations: { readOnlyHint: true },
  async run({ video: given, from, to, tracks, cursor }, { place }) {
    const video = await videoOf(place, given)
    const span = { start: Math.min(from, to), end: Math.max(from, to) }
    const rows = await readIndex(place.served, video, index => index.evidence({ tracks, span }))
    const page = fillPage(
      rows.map(row => ({ item: momentOf(row), words: longRowLine(row, Number.POSITIVE_INFINITY) })),
      cursor,
    )
    return {
      summary: `${rows.length} rows; ${page.items.length} of them here.`,
      words: page.words,
      data: { rows: page.items, total: rows.length, ...(page.cursor !== undefined && { cursor: page.cursor }) },
    }
  },
})
