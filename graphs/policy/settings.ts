import { z } from 'zod'

// What the code sees to, whatever the planner does. Each can be switched off to measure what it is worth.
export const PolicySettings = z.object({
  overviewFirst: z.boolean().default(true).describe('show the planner the whole video before its first call'),
  routing: z.boolean().default(true).describe('tell the planner what sort of question it is'),
  lookBeforeAnswer: z.boolean().default(true).describe('no answer before the first evidence'),
  exhaustiveScan: z.boolean().default(true).describe('count and order questions list the whole video first'),
  noveltyGuard: z.boolean().default(true).describe('repeated and empty calls change the way of searching'),
  verify: z.boolean().default(true).describe('try each sentence against the rows it cites'),
  secondLook: z.boolean().default(true).describe('go on searching once when no sentence holds'),
  callsPerRound: z.number().int().positive().default(8),
  resultCharacters: z.number().int().positive().default(12_000).describe('of one round of results as a model sees it'),
  ledgerCharacters: z.number().int().positive().default(24_000).describe('of the evidence as the writer sees it'),
})
export type PolicySettings = z.infer<typeof PolicySettings>
