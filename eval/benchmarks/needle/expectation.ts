import { z } from 'zod'
import { Span } from '../../../src/core/time.ts'

const phrases = z.array(z.string())

// What an answer must hold to be right, in a form that needs no model to check.
export const Expectation = z.discriminatedUnion('form', [
  // One phrase of each group is said, and no rival is given as the answer.
  z.object({ form: z.literal('words'), groups: z.array(phrases), rivals: phrases }),
  // The number is the first one given; those that lie beside it in the video and those of the question do not count.
  z.object({ form: z.literal('number'), value: z.number(), beside: z.array(z.number()).optional() }),
  // The first moment it names lies in one of the spans, give or take the slack in seconds.
  z.object({ form: z.literal('moment'), spans: z.array(Span), slack: z.number() }),
  // All are named, for the first time in this order.
  z.object({ form: z.literal('order'), items: z.array(phrases) }),
  // At least this share of the parts is named.
  z.object({ form: z.literal('share'), parts: z.array(phrases), least: z.number() }),
  // It says that the video does not tell, and gives none of the rivals as the answer.
  z.object({ form: z.literal('abstain'), rivals: phrases }),
  // None of these is given as the answer, neither alone nor beside the right one.
  z.object({ form: z.literal('unsaid'), rivals: phrases, right: z.array(phrases).optional() }),
])
export type Expectation = z.infer<typeof Expectation>
