import type { RowsChange, StageChanges } from '../../../src/app/index/stage-changes.ts'
import { stageFaults } from '../faults/stage-faults.ts'
import type { Change } from '../matrix/change.ts'
import { type GoldSource, goldStages } from './gold.ts'

// What a row changes of the index. Where it puts gold in and plants errors in the same track, the errors are in the gold.
export async function rowStages(changes: readonly Change[], seed: number, gold: GoldSource): Promise<StageChanges> {
  const faults = stageFaults(
    changes.flatMap(change => (change.kind === 'fault' ? [change.fault] : [])),
    seed,
  )
  const golden = await goldStages(
    changes.flatMap(change => (change.kind === 'oracle' ? [change.name] : [])),
    gold,
  )
  return {
    ...faults,
    ...golden,
    ...(faults.speech && golden.speech && { speech: spoiledGold(golden.speech, faults.speech) }),
    ...(faults.text && golden.text && { text: spoiledGold(golden.text, faults.text) }),
  }
}

function spoiledGold(gold: RowsChange, fault: RowsChange): RowsChange {
  return {
    by: `${gold.by}+${fault.by}`,
    needs: 'nothing',
    settings: video => ({ gold: gold.settings(video), fault: fault.settings(video) }),
    rows: async video => fault.rows(video, await gold.rows(video, [])),
  }
}
