import { contentHash } from '../../core/json.ts'
import type { StageReport } from '../../core/runtime.ts'

// Equal for equal indexes, in whatever order their stages were made.
export function indexKey(stages: readonly StageReport[]): string {
  const made = stages.map(({ stage, key, state }) => [stage, key, state === 'failed'] as const)
  return contentHash(made.sort(([a], [b]) => (a < b ? -1 : 1))).slice(0, 16)
}
