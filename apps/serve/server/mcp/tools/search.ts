import { z } from 'zod'
import { Track } from '../../../../../src/core/evidence.ts'
import { foundBy } from '../../../../../src/core/words/found-by.ts'
import { visibleFileName } from '../../../../../src/core/words/visible-text.ts'
import { checkQuery } from '../../../../../src/text/question/check-question.ts'
import { replyToSearch } from '../../../work/videos/video-view.ts'
import { defineMcpTool } from '../define-tool.ts'
import { clip, fillPage } from '../fill-page.ts'
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

const most = 100 // moments that are looked for, over all pages
const maxNamed = 20
const nothing = 'No row fits these words: try others. What is only seen stands in no words: use "look".'

export const searchTool = defineMcpTool({
  name: 'search',
  title: 'Search for moments',
  description:
    'Finds moments by what is said, shown, heard or written, in one video or in all that are indexed, best first. No model is asked: use "ask" for an answer.',
  input: z.object({
    words: z.string().min(1).max(2000),
    video: videoInput.optional(),
    tracks: z.array(Track).optional(),
    after: timeInput.optional(),
    before: timeInput.optional(),
    nth: z.number().int().min(1).optional().describe('the nth moment in order of time that fits; only with a video'),
    cursor: cursorInput,
  }),
  output: z.object({
    moments: z.array(
      McpMoment.extend({
        fit: z
          .string()
          .describe(
            'what found it and how well it fits: the share of "words" that it holds, likeness of "meaning" or "picture"',
          ),
      }),
    ),
    notSearched: z.array(z.string()).describe('ids of videos that could not be searched; why is in "words"'),
    cursor: cursorOutput,
  }),
  annotations: { readOnlyHint: true },
  async run({ words: query, video: given, cursor, after, before, ...more }, { place }) {
    const second = (time: number | string | undefined, name: string) =>
      time === undefined ? undefined : secondOf(time, name, { duration: Number.POSITIVE_INFINITY })
    const searchQuery = { query, k: most, ...more, after: second(after, 'after'), before: second(before, 'before') }
    checkQuery(searchQuery)
    const video = given === undefined ? undefined : await findVideoByName(place, given)
    const { hits, searched, notSearched } = await replyToSearch(place.served, video, searchQuery)
    const named = notSearched.slice(0, maxNamed)
    const whys = named.map(one => clip(`not searched: ${one.id} ${visibleFileName(one.name ?? '')}: ${one.why}`, 120))
    const lines = hits.map(({ video, ...hit }) => ({
      item: { ...toMoment(hit.evidence), video: video.id, fit: foundBy(hit) },
      words: `${given === undefined ? `${video.id} ` : ''}${momentLine(hit.evidence)} (${foundBy(hit)})`,
    }))
    const page = fillPage(lines, cursor, JSON.stringify([whys, named.map(({ id }) => id)]).length)
    return {
      summary: `${hits.length} moments in ${searched.length} videos${notSearched.length > 0 ? `; ${notSearched.length} could not be searched` : ''}.`,
      words: [...page.words, ...(hits.length === 0 ? [nothing] : []), ...whys],
      data: {
        ...{ moments: page.items, notSearched: named.map(({ id }) => id) },
        ...(page.cursor !== undefined && { cursor: page.cursor }),
      },
    }
  },
})
