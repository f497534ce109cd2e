import { BackendError, type LongtakeError, UsageError } from '../../src/core/errors.ts'
import type { Evidence, Track } from '../../src/core/evidence.ts'
import { type Span, touches } from '../../src/core/time.ts'
import type { ToolContext } from '../../src/core/tool.ts'
import { isIndexed } from '../../src/core/video.ts'

// The rows that the index has of a span; a track that was never made is an error, not an empty list.
export function indexedRows(
  track: Track & ('speech' | 'text' | 'sound'),
  span: Span,
  { index }: ToolContext,
): Evidence[] {
  const { state, note } = index.coverage[track]
  if (!isIndexed({ state }))
    throw new BackendError(`The ${track} track of this video is ${state}${note ? `: ${note}` : ''}.`)
  return index.evidence({ tracks: [track], span }).filter(row => touches(row.span, span))
}

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
export function missingServices(tool: string, what: string, missing: readonly LongtakeError[]): UsageError {
  const fixes = missing.flatMap(error => (error.hint ? [error.hint] : []))
  return new UsageError(`${tool} needs ${what}. ${missing.map(error => error.message).join(' ')}`, {
    hint: [...new Set(fixes)].join(' Or: '),
  })
}
