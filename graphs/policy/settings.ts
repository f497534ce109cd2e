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
  resultCharacters: z
    .number()
    .int()
    .positive()
    .default(6000)
    .describe('of one tool result as a language model sees it'),
})
export type PolicySettings = z.infer<typeof PolicySettings>
