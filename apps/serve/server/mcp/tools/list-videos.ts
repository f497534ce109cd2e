import { z } from 'zod'
import { VideoState } from '../../../../../src/core/api/video.ts'
import { formatTime } from '../../../../../src/core/time.ts'
import { visibleFileName } from '../../../../../src/core/words/visible-text.ts'
import { videoDetails } from '../../../work/videos/video-view.ts'
import { defineMcpTool } from '../define-tool.ts'
import { fillPage } from '../fill-page.ts'
import { newFiles } from '../new-files.ts'
import { cursorInput, cursorOutput, Gap, gapsOf } from '../shapes.ts'

const pageSize = 40

export const listVideosTool = defineMcpTool({
  name: 'list_videos',
  title: 'List the videos',
  description:
    'Lists the videos of the library with their state and what could not be looked at, and the files of the allowed folders that "add_video" can add. Begin here.',
  input: z.object({ query: z.string().max(300).optional().describe('part of the file name'), cursor: cursorInput }),
  output: z.object({
    videos: z.array(
      z.object({
        id: z.string(),
        duration: z.number().describe('seconds'),
        state: VideoState.describe('ready, partial: can be asked at once; waiting, changed: asking indexes it first'),
        notLooked: z.array(Gap).optional(),
      }),
    ),
    newFiles: z.number().describe('files in the folders that are not in the library; their paths are in "words"'),
    cursor: cursorOutput,
  }),
  annotations: { readOnlyHint: true },
  async run({ query = '', cursor = '0' }, { place }) {
    const { library } = place.served.runtime
    const fits = (text: string) => text.toLowerCase().includes(query.toLowerCase())
    const videos = (await library.list()).filter(({ name }) => fits(name))
    const files = (await newFiles(place)).filter(fits)
    const first = Number(cursor)
    const some = await Promise.all(
      videos.slice(first, first + pageSize).map(async video => {
        const { id, duration, state, coverage } = await videoDetails(place.served, video)
        const gaps = coverage === undefined ? [] : gapsOf(coverage)
        const item = { id, duration, state, ...(gaps.length > 0 && { notLooked: gaps }) }
        return { item, words: `${id} ${formatTime(duration)} ${state} ${visibleFileName(video.name)}` }
      }),
    )
    const page = fillPage(some)
    const end = first + page.items.length
    const isLast = end >= videos.length
    const usedCharacters = JSON.stringify([page.words, page.items]).length
    const paths = isLast
      ? fillPage(
          files.map(path => ({ item: '', words: `new: ${visibleFileName(path)}` })),
          '0',
          usedCharacters,
        )
      : undefined
    const fileCount = files.length > 0 && isLast ? ` ${files.length} files can be added.` : ''
    return {
      summary: `${videos.length} videos${end - first < videos.length ? `, from ${first + 1} to ${end}` : ''}.${fileCount}`,
      words: [...page.words, ...(files.length > 0 ? (paths?.words ?? []) : [])],
      data: { videos: page.items, newFiles: files.length, ...(!isLast && { cursor: String(end) }) },
    }
  },
})
