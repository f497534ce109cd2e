import { z } from 'zod'
import type { Job } from '../../../../../src/core/api/job.ts'
import { isOver } from '../../../../../src/core/api/job-state.ts'
import type { Video } from '../../../../../src/core/video.ts'
import { countPhrase } from '../../../../../src/core/words/counted.ts'
import { visibleFileName } from '../../../../../src/core/words/visible-text.ts'
import { videoEntry } from '../../../work/videos/video-view.ts'
import { chooseVideos } from '../choose-video.ts'
import { defineMcpTool } from '../define-tool.ts'
import { describeJob } from '../outcome.ts'

export const indexVideoTool = defineMcpTool({
  name: 'index',
  description:
    'Makes what is missing of the index (speech, text, sounds, pictures) of a video or of a folder, new files too. Replies with jobs: wait for them.',
  input: z.object({ video: z.string().min(1).max(4096).describe('name, id, path of a new file, or a folder') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ video: given }, { place, takesTasks, undelivered, signal }) {
    const { jobs, served } = place
    const { videos, folder, refused } = await chooseVideos(place, given, signal, true)
    const isUnderWay = (one: Job) => one.kind === 'index' && undelivered.has(one.id) && !isOver(one.state)
    const begin = async (video: Video) => {
      const job = jobs.list().find(one => isUnderWay(one) && one.video.id === video.id) ?? (await jobs.index(video))
      undelivered.add(job.id)
      return job
    }
    const [only] = videos
    if (folder === undefined && only) {
      const job = await begin(only)
      return { ...(await describeJob(job, place)), ...(takesTasks && { task: job }) }
    }
    const entries = await Promise.all(videos.map(video => videoEntry(served, video)))
    const missing = videos.filter((_, at) => entries[at]?.state !== 'ready')
    const lines: string[] = []
    let last = ''
    for (const video of missing) {
      const { id } = await begin(video)
      lines.push(`job ${id} ${visibleFileName(video.name)}`)
      last = id
    }
    return {
      head: `${countPhrase(videos.length, 'video')} in the folder: ${countPhrase(missing.length, 'job')}, ${videos.length - missing.length} ready already.`,
      lines: [...lines, ...refused.map(line => `not a video: ${line}`)],
      next: last === '' ? 'Next: overview.' : `Call "wait" with job ${last}, the last of them.`,
    }
  },
})
