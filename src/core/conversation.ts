import { z } from 'zod'
import { Span } from './time.ts'

// Words of a question that point at an earlier turn, and what they were resolved to.
export const Reference = z.object({
  words: z.string(), // "right after that", "the second one"
  kind: z.enum(['moment', 'item', 'option', 'entity', 'question']),
  means: z.string(), // for a person: `said: "the tour starts at ten"`
  span: Span.optional(),
  evidence: z.array(z.string()),
})
export type Reference = z.infer<typeof Reference>

// How a question leans on the turns before it.
export const Refers = z.object({
  asked: z.string(), // the question in its own words
  references: z.array(Reference),
  about: z.enum(['moment', 'speaker']).optional(), // it asks only when the first reference is, or who says it
})
export type Refers = z.infer<typeof Refers>
