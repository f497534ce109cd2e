import { z } from 'zod'
import { defineMcpTool } from '../define-tool.ts'
import { describeJob, McpOutcome } from '../outcome.ts'

export const cancelTool = defineMcpTool({
  name: 'cancel',
  title: 'Cancel a job',
  description:
    'Ends a job of "ask" or "index". What was finished of it stays and is not made again. A job that is over stays as it is.',
  input: z.object({ job: z.string().min(1).max(100) }),
  output: McpOutcome,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ job }, { place, undelivered }) {
    undelivered.delete(job)
    return describeJob(await place.jobs.cancel(job))
  },
})
