import { z } from 'zod'
import type { Job } from '../../../../../src/core/api/job.ts'
import { isOver } from '../../../../../src/core/api/job-state.ts'
import { defineMcpTool } from '../define-tool.ts'
import { findVideoByName } from '../find.ts'
import { describeJob, McpOutcome } from '../outcome.ts'
import { videoInput } from '../shapes.ts'

export const indexVideoTool = defineMcpTool({
  name: 'index',
  title: 'Index a video',
  description:
    'Begins to index a video (speech, text on screen, sounds, picture) and replies with the job at once: call "wait" with it. What was made before is not made again.',
  input: z.object({ video: videoInput }),
  output: McpOutcome,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ video: given }, { place, takesTasks, undelivered }) {
    const { jobs } = place
    const video = await findVideoByName(place, given)
    const isUnderWay = (one: Job) => one.kind === 'index' && undelivered.has(one.id) && !isOver(one.state)
    const job = jobs.list().find(one => isUnderWay(one) && one.video.id === video.id) ?? (await jobs.index(video))
    undelivered.add(job.id)
    return { ...describeJob(job), ...(takesTasks && { task: job }) }
  },
})
