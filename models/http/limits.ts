import { z } from 'zod'

// Timeouts, retries and concurrency of every backend that asks a server. Nested as one setting because it changes how
// an answer is fetched, never which answer.
export const Limits = z.strictObject({
  attempts: z.number().int().min(1).default(4).describe('tries of one call'),
  attemptSeconds: z.number().positive().default(300).describe('longest time of one try'),
  totalSeconds: z.number().positive().default(900).describe('longest time of one call, with all its tries and waits'),
  connectSeconds: z.number().positive().default(10).describe('longest time until the server takes the connection'),
  stallSeconds: z.number().positive().default(120).describe('longest silence in the middle of a reply'),
  backoffSeconds: z.number().positive().default(0.5).describe('wait before the second try; doubles, with jitter'),
  concurrency: z.number().int().min(1).default(4).describe('calls at the same time'),
  maxBytes: z.number().int().positive().default(33_554_432).describe('longest reply that is read, unpacked'),
  breakerFailures: z.number().int().min(1).default(8).describe('failures in a row after which a server is left alone'),
  breakerSeconds: z.number().positive().default(10).describe('how long it is left alone'),
})
export type Limits = z.infer<typeof Limits>

// For a quick check of a server.
export function oneTry(): Limits {
  return { ...Limits.parse({}), attempts: 1, attemptSeconds: 15 }
}

export const limits = Limits.prefault({}).describe('patience with the server')
