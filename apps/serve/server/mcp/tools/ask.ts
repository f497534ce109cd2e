import { z } from 'zod'
import { libraryGraph } from '../../../../../graphs/index.ts'
import type { Job } from '../../../../../src/core/api/job.ts'
import { isOver } from '../../../../../src/core/api/job-state.ts'
import { stableJson } from '../../../../../src/core/json.ts'
import { beginAsk, beginLibraryAsk } from '../../../work/jobs/begin-ask.ts'
import type { AskWish, Jobs } from '../../../work/jobs/jobs.ts'
import { chooseVideo } from '../choose-video.ts'
import { defineMcpTool } from '../define-tool.ts'
import { outcomeWithin } from '../outcome.ts'

export const askTool = defineMcpTool({
  name: 'ask',
  description:
    'Another agent answers a question about one video, or without video about all, and cites rows; "overview" says who it is. If no language model is set up, rules answer that only match words: then read and view yourself. It indexes first if need be. May reply with a job: wait for it; the same question again gets the same job.',
  input: z.object({
    question: z.string().min(1).max(20_000),
    video: z.string().min(1).max(4096).optional().describe('name, id, or path of a new file'),
    options: z.array(z.string().min(1).max(20_000)).min(2).max(100).optional().describe('choices: one is right'),
    session: z.string().max(200).optional().describe('name of a conversation, whose earlier turns are understood'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ video: given, question: text, options, session }, work) {
    const { place, undelivered } = work
    const isOverAll = given === undefined && (await place.served.runtime.library.list()).length !== 1
    const video = isOverAll ? undefined : await chooseVideo(place, given, work.signal)
    const wish: AskWish = { question: { text, ...(options && { options }) }, ...(session !== undefined && { session }) }
    const begin = () => (video ? beginAsk(place, video, wish) : beginLibraryAsk(place, { question: wish.question }))
    const job = sameAsked(place.jobs, video?.id ?? libraryGraph, wish, undelivered) ?? (await begin())
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
