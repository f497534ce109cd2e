import { z } from 'zod'
import { defineMcpTool } from '../define-tool.ts'
import { outcomeWithin } from '../outcome.ts'

export const wait = defineMcpTool({
  name: 'wait',
  description:
    'Waits for a job of "ask" or "index" and replies with its end, or with what it is at: then call it again.',
  input: z.object({
    job: z.string().min(1).max(100),
    seconds: z.number().min(0).max(900).default(50).describe('as long as your time-out allows'),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ job, seconds }, work) => outcomeWithin(job, seconds, work),
})
