import { z } from 'zod'

// What several machines do together, if there is a cluster: what was asked of it, and the bottleneck.
export const ClusterView = z.object({
  cluster: z
    .object({
      requests: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          by: z.string().optional(),
          done: z.number(),
          total: z.number(),
          running: z.number(),
          failed: z.number(),
          seconds: z.number(), // since it was asked
          left: z.number().optional(), // seconds
        }),
      ),
      workers: z.number(),
      waiting: z.number(), // jobs
      running: z.number(),
      failures: z.number(),
      waitReason: z.string(),
    })
    .optional(), // there is none, or it does not answer
  problem: z.string().optional(), // why it does not answer
})
export type ClusterView = z.infer<typeof ClusterView>
