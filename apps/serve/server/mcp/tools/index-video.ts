import { z } from 'zod'
import type { Job } from '../../../../../src/core/api/job.ts'
import { isOver } from '../../../../../src/core/api/job-state.ts'
import { chooseVideo } from '../choose-video.ts'
import { defineMcpTool } from '../define-tool.ts'
import { describeJob } from '../outcome.ts'

export const indexVideoTool = defineMcpTool({
  name: 'index',
  description:
    'Makes what is missing of the index of a video (speech, text, sounds, pictures); takes the path of a new file too. Replies with a job: wait for it.',
  input: z.object({ video: z.string().min(1).max(4096).describe('name, id, or path of a new file') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ video: given }, { place, takesTasks, undelivered, signal }) {
    const { jobs } = place
    const video = await chooseVideo(place, given, signal)
    const isUnderWay = (one: Job) => one.kind === 'index' && undelivered.has(one.id) && !isOver(one.state)
    const job = jobs.list().find(one => isUnderWay(one) && one.video.id === video.id) ?? (await jobs.index(video))
    undelivered.add(job.id)
    return { ...(await describeJob(job, place)), ...(takesTasks && { task: job }) }
  },
})
