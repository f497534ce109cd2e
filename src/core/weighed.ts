import { z } from 'zod'

const verdict = z.enum(['supported', 'contradicted', 'unseen'])

// How well a candidate of a search answers the question, from 1 (nothing to do with it) to 4 (the answer itself).
export const Rating = z.object({ id: z.string(), score: z.number(), reason: z.string(), by: z.string() })
export type Rating = z.infer<typeof Rating>

// An option of multiple choice tried for itself: what would tell it from the others, and whether that was found.
export const OptionVerdict = z.object({
  option: z.number(), // from 0
  clue: z.string(),
  verdict,
  reason: z.string(),
  cites: z.array(z.string()),
})
export type OptionVerdict = z.infer<typeof OptionVerdict>

// What the question takes for granted, tried like any other sentence.
export const PremiseVerdict = z.object({ claim: z.string(), verdict, reason: z.string(), cites: z.array(z.string()) })
export type PremiseVerdict = z.infer<typeof PremiseVerdict>

// What the policies weighed on the way to an answer, for the writer and for whoever reads the run.
export const Weighed = z.object({
  aspects: z.array(z.string()).optional(), // the parts of the question, where it has several
  ratings: z.array(Rating).optional(),
  options: z.array(OptionVerdict).optional(),
  premise: PremiseVerdict.optional(),
})
export type Weighed = z.infer<typeof Weighed>
