import { z } from 'zod'
import type { Job } from '../../../../../src/core/api/job.ts'
import { isOver } from '../../../../../src/core/api/job-state.ts'
import { Refused } from '../../../../../src/core/api/problem.ts'
import { stableJson } from '../../../../../src/core/json.ts'
import { libraryGraph } from '../../../../../src/core/library.ts'
import { untilInput } from '../../../../../src/runtime/operations/inputs.ts'
import { readTime } from '../../../../../src/runtime/operations/read-time.ts'
import { beginAsk, beginLibraryAsk } from '../../../work/jobs/begin-ask.ts'
import type { AskWish, Jobs } from '../../../work/jobs/jobs.ts'
import { chooseVideos } from '../choose-video.ts'
import { defineMcpTool } from '../define-tool.ts'
import { outcomeWithin } from '../outcome.ts'

export const askTool = defineMcpTool({
  name: 'ask',
  description:
    'Another agent answers a question about a video, a folder, or without video about all, and cites rows; "overview" says who. Without a language model, rules answer that only match words: then read and view yourself. A question stands alone, but for a session. May reply with a job: wait for it.',
  input: z.object({
    question: z.string().trim().min(1).max(20_000),
    video: z.string().min(1).max(4096).optional().describe('name, id, folder, or path of a new file'),
    options: z.array(z.string().min(1).max(20_000)).min(2).max(100).optional().describe('choices: one is right'),
    session: z.string().max(200).optional().describe('name of a conversation, whose earlier turns are understood'),
    until: untilInput,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ video: given, question: text, options, session, until: untilText }, work) {
    const { place, undelivered } = work
    const isOverAll = given === undefined && (await place.served.runtime.library.list()).length !== 1
    const { videos, folder: within } = isOverAll
      ? { videos: [], folder: undefined }
      : await chooseVideos(place, given, work.signal)
    const [video] = within === undefined ? videos : []
    const until = untilText === undefined ? undefined : readTime(untilText, 'until')
    const question = { text, ...(options && { options }), ...(until !== undefined && { until }) }
    const wish: AskWish = {
      question,
      ...(session !== undefined && { session }),
      ...(within !== undefined && { within }),
    }
    if (!video && session !== undefined)
      throw new Refused('usage', 'A "session" is about one video.', 'Name it as "video", or leave "session" out.')
    const begin = () => (video ? beginAsk(place, video, wish) : beginLibraryAsk(place, wish))
    const job = sameAsked(place.jobs, video?.id ?? libraryGraph, wish, undelivered) ?? (await begin())
    undelivered.add(job.id)
    const reply = await outcomeWithin(job.id, work.takesTasks ? 0 : work.waiting, work)
    return { ...reply, ...(work.takesTasks && { task: job }) }
  },
})

// A client whose time-out was too short asks again: it gets the job that is under way, or whose end it has missed. Only one that
// was begun here: other processes may have other settings.
function sameAsked(jobs: Jobs, video: string, wish: AskWish, undelivered: ReadonlySet<string>): Job | undefined {
  const { question, session, within } = wish
  const key = stableJson({ question, session, within })
  return jobs
    .list()
    .find(
      one =>
        one.kind === 'ask' &&
        one.video.id === video &&
        undelivered.has(one.id) &&
        stableJson({ question: one.question, session: one.session, within: one.within }) === key &&
        (!isOver(one.state) || one.state === 'done'),
    )
}
