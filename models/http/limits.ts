import { z } from 'zod'

// Timeouts, retries and concurrency of every backend that asks a server. Nested as one setting because it changes how
// an answer is fetched, never which answer.
export const RequestLimits = z.strictObject({
  attempts: z.number().int().min(1).default(4).describe('attempts of one call'),
  attemptSeconds: z.number().positive().default(300).describe('time limit of one attempt'),
  totalSeconds: z.number().positive().default(900).describe('time limit of one call, with all its attempts and waits'),
  connectSeconds: z.number().positive().default(10).describe('time limit of connecting'),
  stallSeconds: z.number().positive().default(120).describe('time limit of silence in the middle of a reply'),
  backoffSeconds: z.number().positive().default(0.5).describe('wait before the second attempt; doubles, with jitter'),
  concurrency: z.number().int().min(1).default(4).describe('concurrent calls'),
  maxBytes: z.number().int().positive().default(33_554_432).describe('maximum size of a reply, decompressed'),
  breakerFailures: z.number().int().min(1).default(8).describe('failures in a row that open the circuit breaker'),
  breakerSeconds: z.number().positive().default(10).describe('how long the circuit breaker stays open'),
})
export type RequestLimits = z.infer<typeof RequestLimits>

// For a quick check of a server.
export function oneTry(): RequestLimits {
  return { ...RequestLimits.parse({}), attempts: 1, attemptSeconds: 15 }
}

export const requestLimits = RequestLimits.prefault({}).describe('timeouts and retries')
