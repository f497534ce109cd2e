import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { Outcome, outcomeOf } from '../outcome.ts'

export const cancel = defineTool({
  name: 'cancel',
  title: 'Cancel a job',
  description:
    'Ends a job of "ask" or "index". What was finished of it stays and is not made again. A job that is over stays as it is.',
  input: z.object({ job: z.string().min(1).max(100) }),
  output: Outcome,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ job }, { place, undelivered }) {
    undelivered.delete(job)
    return outcomeOf(await place.jobs.cancel(job))
  },
})
