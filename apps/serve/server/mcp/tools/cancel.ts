import { z } from 'zod'
import { defineMcpTool } from '../define-tool.ts'
import { describeJob } from '../outcome.ts'

export const cancelTool = defineMcpTool({
  name: 'cancel',
  description: 'Ends a job. What was finished of it stays and is not made again.',
  input: z.object({ job: z.string().min(1).max(100) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ job }, { place, undelivered }) {
    undelivered.delete(job)
    return describeJob(await place.jobs.cancel(job), place)
  },
})
