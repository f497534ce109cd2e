import { contentHash } from '../../core/json.ts'
import type { StageReport } from '../../core/runtime.ts'
import { storedStage } from '../../core/words/stage-names.ts'

// Equal for equal indexes, in whatever order their stages were made, and whether they were made now or found.
export function indexKey(stages: readonly StageReport[]): string {
  const madeStages = stages.flatMap(({ stage, key, state }) =>
    state === 'skipped' ? [] : [[storedStage(stage), key, state === 'failed'] as const],
  )
  return contentHash(madeStages.sort(([a], [b]) => (a < b ? -1 : 1))).slice(0, 16)
}
