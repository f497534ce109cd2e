import type { z } from 'zod'
import { BackendError } from '../../../src/core/errors.ts'

// What a column or an object of the store holds. Another version wrote it, or somebody else, if it has not the shape that this one knows.
export function parseRow<Value>(shape: z.ZodType<Value>, written: unknown, what: string): Value {
  const { data, error } = shape.safeParse(written)
  if (!error) return data
  const [issue] = error.issues
  const issuePath = issue?.path.join('.')
  throw new BackendError(
    `The cluster holds ${what} that this longtake cannot read: ${issuePath ? `${issuePath}: ` : ''}${issue?.message}.`,
    {
      cause: error,
      hint: 'Use the version of longtake that wrote it, or find out who else writes to its database and store.',
    },
  )
}
