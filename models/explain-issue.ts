import type { z } from 'zod'

// The first thing that is wrong with a value, and where in it.
export function explainReplyIssue({ issues: [issue] }: z.ZodError, whole: string): string {
  return `${issue?.path.join('.') || whole}: ${issue?.message ?? 'not of the expected form'}`
}
