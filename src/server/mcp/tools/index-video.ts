import { z } from 'zod'
import { isOver } from '../../../core/api/job-state.ts'
import { defineTool } from '../define-tool.ts'
import { videoOf } from '../find.ts'
import { Outcome, outcomeOf } from '../outcome.ts'
import { videoInput } from '../shapes.ts'

export const indexVideo = defineTool({
  name: 'index',
  title: 'Index a video',
  description:
    'Begins to index a video (speech, text on screen, sounds, picture) and replies with the job at once: call "wait" with it. What was made before is not made again.',
  input: z.object({ video: videoInput }),
  output: Outcome,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ video: given }, { place, takesTasks }) {
    const { jobs } = place
    const video = await videoOf(place, given)
    const underWay = jobs.list().find(one => one.kind === 'index' && one.video.id === video.id && !isOver(one.state))
    const job = underWay ?? (await jobs.index(video))
    return { ...outcomeOf(job), ...(takesTasks && { task: job }) }
  },
})
