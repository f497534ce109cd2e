import type { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'

// A record by its schema; where it is none, the error names the field and lists what the record holds.
export function parseRecord<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  benchmark: string,
  place: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const holds = value && typeof value === 'object' ? Object.keys(value).join(', ') : typeof value
  throw new UsageError(
    `${place} is not a record of ${benchmark}: ${issue.path.join('.') || 'record'}: ${issue.message}.`,
    {
      hint: `It holds: ${holds}. "longtake bench show ${benchmark}" says which file is expected.`,
    },
  )
}
