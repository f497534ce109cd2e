import { z } from 'zod'
import { VideoState } from '../../../../../src/core/api/video.ts'
import { formatTime } from '../../../../../src/core/time.ts'
import { visibleFileName } from '../../../../../src/core/words/visible-text.ts'
import { videoDetails } from '../../../work/videos/video-view.ts'
import { defineMcpTool } from '../define-tool.ts'
import { fileOf } from '../find.ts'

export const addVideoTool = defineMcpTool({
  name: 'add_video',
  title: 'Add a video',
  description:
    'Adds a file below an allowed folder to the library, and says what indexing would do. It indexes nothing: call "index" or "ask" then.',
  input: z.object({ path: z.string().min(1).max(4096).describe('absolute, or as it lies in one of the folders') }),
  output: z.object({
    id: z.string(),
    duration: z.number().describe('seconds'),
    state: VideoState,
    missing: z.array(z.object({ stage: z.string(), by: z.string() })).describe('what indexing would make'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ path }, { place, signal }) {
    const video = await fileOf(place, path, signal)
    const { id, duration, state, missing } = await videoDetails(place.served, video)
    const progress =
      missing.length === 0
        ? 'It is indexed.'
        : `Indexing would run ${missing.length} stages over ${formatTime(duration)}.`
    return {
      summary: `Video ${id} is in the library (${state}). ${progress}`,
      words: [`${id} ${visibleFileName(video.name)}`],
      data: { id, duration, state, missing },
    }
  },
})
