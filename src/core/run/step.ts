import { z } from 'zod'

const stepFields = {
  round: z.number(),
  tool: z.string(),
  input: z.unknown(),
  outcome: z.enum(['found', 'nothing', 'refused', 'failed', 'repeated']),
  evidence: z.array(z.string()),
  text: z.string().optional(),
  notes: z.array(z.string()), // what was repaired or ignored in the call
  seconds: z.number(),
  by: z.string().optional(), // the policy that made the call; left out: the planner
}

// A call that a helper made; its rounds are counted for itself.
export const HelperStep = z.object(stepFields)
export type HelperStep = z.infer<typeof HelperStep>

// One call of a tool: what was asked, what came back.
export const Step = z.object({ ...stepFields, helper: z.array(HelperStep).optional() }) // helper: what the call's own run did
export type Step = z.infer<typeof Step>
