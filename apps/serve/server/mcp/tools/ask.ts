import { z } from 'zod'
import type { Job } from '../../../../../src/core/api/job.ts'
import { isOver } from '../../../../../src/core/api/job-state.ts'
import { stableJson } from '../../../../../src/core/json.ts'
import { beginAsk } from '../../../work/jobs/begin-ask.ts'
import type { AskWish, Jobs } from '../../../work/jobs/jobs.ts'
import { defineMcpTool } from '../define-tool.ts'
import { findVideoByName } from '../find.ts'
import { McpOutcome, outcomeWithin } from '../outcome.ts'
import { videoInput } from '../shapes.ts'

export const askTool = defineMcpTool({
  name: 'ask',
  title: 'Ask about a video',
  description:
    'Answers a question about one video from evidence, with the times of what it cites; indexes the video first where that is missing. After 20 s it replies with a job: call "wait" with it. Asking the same again while it is under way waits for the same job.',
  input: z.object({
    video: videoInput,
    question: z.string().min(1).max(20_000),
    options: z
      .array(z.string().min(1).max(20_000))
      .min(2)
      .max(100)
      .optional()
      .describe('choices, of which one is right'),
    session: z.string().max(200).optional().describe('name of a conversation: its earlier turns are understood'),
  }),
  output: McpOutcome,
  annotations: { readOnlyHint: true },
  async run({ video: given, question: text, options, session }, work) {
    const { place, undelivered } = work
    const video = await findVideoByName(place, given)
    const wish: AskWish = { question: { text, ...(options && { options }) }, ...(session !== undefined && { session }) }
    const job = sameAsked(place.jobs, video.id, wish, undelivered) ?? (await beginAsk(place, video, wish))
    undelivered.add(job.id)
    const reply = await outcomeWithin(job.id, work.takesTasks ? 0 : work.waiting, work)
    return { ...reply, ...(work.takesTasks && { task: job }) }
  },
})

// A client whose time-out was too short asks again: it gets the job that is under way, or whose end it has missed. Only one that
// was begun here: other processes may have other settings.
function sameAsked(jobs: Jobs, video: string, wish: AskWish, undelivered: ReadonlySet<string>): Job | undefined {
  const { question, session } = wish
  const key = stableJson({ question, session })
  return jobs
    .list()
    .find(
      one =>
        one.kind === 'ask' &&
        one.video.id === video &&
        undelivered.has(one.id) &&
        stableJson({ question: one.question, session: one.session }) === key &&
        (!isOver(one.state) || one.state === 'done'),
    )
}
