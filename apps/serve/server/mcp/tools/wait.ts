import { z } from 'zod'
import { defineMcpTool } from '../define-tool.ts'
import { McpOutcome, outcomeWithin } from '../outcome.ts'

export const wait = defineMcpTool({
  name: 'wait',
  title: 'Wait for a job',
  description:
    'Waits for a job of "ask" or "index", 20 s at most, and replies with its end or with what it is at. Call it again until it is over.',
  input: z.object({
    job: z.string().min(1).max(100),
    seconds: z.number().min(0).max(20).default(20),
  }),
  output: McpOutcome,
  annotations: { readOnlyHint: true },
  run: ({ job, seconds }, work) => outcomeWithin(job, seconds, work),
})
