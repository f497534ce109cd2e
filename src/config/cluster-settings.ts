import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { megabytesIn } from '../core/machine/memory.ts'

const ServerLimits = z.strictObject({
  concurrent: z.int().min(1).max(100_000).optional(),
  requestsPerMinute: z.number().positive().max(10_000_000).optional(),
  tokensPerMinute: z.number().positive().max(10_000_000_000).optional(),
})

// What several machines share. Nothing of it may come from a settings file that was found: it names who is trusted with the work.
export const ClusterSettings = z.strictObject({
  database: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be an address as postgres://USER:PASSWORD@HOST/DATABASE')
    .optional()
    .describe('address of the PostgreSQL that the machines share; LONGTAKE_CLUSTER is short for it'),
  store: z
    .string()
    .refine(at => isAbsolute(at) || /^s3:\/\/[^/]+/.test(at), 'must be an absolute path or s3://BUCKET/PREFIX')
    .optional()
    .describe(
      'where all machines store results: a network folder or s3://BUCKET/PREFIX; LONGTAKE_STORE is short for it',
    ),
  roots: z
    .record(
      z.string().regex(/^[A-Za-z][\w-]{0,31}$/),
      z
        .string()
        .refine(at => isAbsolute(at) || /^s3:\/\/[^/]+/.test(at), 'must be an absolute path or s3://BUCKET/PREFIX'),
    )
    .default({})
    .describe(
      'folders of videos by a name that all machines share, each with its own path here, or buckets: {"talks": "/mnt/talks"}',
    ),
  cache: z
    .string()
    .default('20%')
    .refine(isShareOrSize, 'must be a share of the disk, as 20%, or a size, as 500GB')
    .describe('what pulled results and videos may take here: a share of the disk, as 20%, or a size, as 500GB'),
  limits: z
    .record(z.string(), ServerLimits)
    .default({})
    .describe(
      'of model servers, for all machines together, by address or provider: {"openai": {"requestsPerMinute": 500}}; also concurrent, tokensPerMinute',
    ),
  heartbeat: z
    .int()
    .min(10)
    .max(3600)
    .default(60)
    .describe('seconds without a sign of life after which the job of a worker goes to another one'),
})
export type ClusterSettings = z.infer<typeof ClusterSettings>

function isShareOrSize(text: string): boolean {
  const share = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1]
  return share === undefined ? megabytesIn(text) !== undefined : Number(share) > 0 && Number(share) <= 100
}
