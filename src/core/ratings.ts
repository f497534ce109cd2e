import { z } from 'zod'

// How well each of some numbered candidates answers a question, as a model that rates them replies.
export const Ratings = z.object({
  ratings: z.array(z.object({ number: z.number(), relevance: z.number().int().min(1).max(4), reason: z.string() })),
})

// The same for servers that hold replies to a schema. The reason stands before the mark, so that it is thought of first.
export const ratingsSchema = {
  name: 'ratings',
  schema: {
    type: 'object',
    properties: {
      ratings: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            number: { type: 'integer' },
            reason: { type: 'string' },
            relevance: { type: 'integer', enum: [1, 2, 3, 4] },
          },
          required: ['number', 'reason', 'relevance'],
          additionalProperties: false,
        },
      },
    },
    required: ['ratings'],
    additionalProperties: false,
  },
}
