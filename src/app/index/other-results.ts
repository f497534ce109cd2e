import { stableJson } from '../../core/json.ts'
import type { StageReader } from '../../core/stage.ts'
import { readStage, stageKey } from '../../store/stage/stage.ts'
import { checkStage, listStageResults, stageFolder } from '../../store/stage/stage-check.ts'
import type { Keyed } from './plan-stages.ts'

// Results of a stage that this code and backend made of the same inputs, and that one setting alone tells apart from what is to be made:
// what was asked for them need not be paid for again.
export async function otherResults(
  folder: string,
  video: string,
  {
    stage,
    key,
    by,
    settings,
    inputs,
    version,
  }: Pick<Keyed, 'stage' | 'key' | 'by' | 'settings' | 'inputs' | 'version'>,
  setting: string,
): Promise<StageReader[]> {
  const rest = (all: unknown) => stableJson({ ...(all as object), [setting]: undefined })
  const found: StageReader[] = []
  for (const meta of await listStageResults(folder, stage)) {
    const isAlike = meta.key !== key && meta.by === by && rest(meta.settings) === rest(settings)
    // The version of what made it is in its key alone.
    if (!isAlike || meta.key !== stageKey({ video, stage, by, settings: meta.settings, inputs, version })) continue
    const { state } = await checkStage(folder, stage, meta.key, 'use')
    if (state === 'whole') found.push(readStage(stageFolder(folder, stage, meta.key)))
  }
  return found
}
