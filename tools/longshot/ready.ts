import { type LongtakeError, UsageError } from '../../src/core/errors.ts'

// A service, or why there is none; what broke, instead of being off or missing, is thrown.
export async function orMissing<Service>(open: () => Promise<Service>): Promise<Service | UsageError> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

// What a tool says that has nothing to work with: all that could serve, and how to get each.
export function needsOneOf(tool: string, what: string, missing: readonly LongtakeError[]): UsageError {
  const mends = missing.flatMap(error => (error.hint ? [error.hint] : []))
  return new UsageError(`${tool} needs ${what}. ${missing.map(error => error.message).join(' ')}`, {
    hint: [...new Set(mends)].join(' Or: '),
  })
}
