import { readPart } from '../../../tools/stages/journal.ts'
import { readStageRows } from '../../../tools/stages/results.ts'
import { byTime, Evidence } from '../../core/evidence.ts'
import type { Video } from '../../core/video.ts'
import { findSidecars } from '../../media/file/sidecars.ts'
import { readStage } from '../../store/stage/stage.ts'
import { checkStage, stageFolder } from '../../store/stage/stage-check.ts'
import { partFolder } from '../../store/stage/stage-parts.ts'
import type { FinishedWork } from './finished-index.ts'
import { planStages } from './plan-stages.ts'

// The rows of an index that is being made: those of finished stages, and what a stage that keeps its rows bit by bit has
// so far. It only reads, so that whoever makes the index is not held up.
export async function rowsSoFar(known: Video, { library, models, settings }: FinishedWork): Promise<Evidence[]> {
  const video = { ...known, sidecars: await findSidecars(known.path, known.name) }
  const folder = library.videoFolder(video.id)
  const rows = new Map<string, Evidence>()
  // Whether subtitles give the words is known only once they were looked for.
  for (const subtitled of [true, false])
    for (const planned of await planStages(video, models, settings, subtitled)) {
      if (planned.skip !== undefined || !planned.how.rows) continue
      const { stage, key } = planned
      const { state } = await checkStage(folder, stage, key, 'sizes')
      const stageRows =
        state === 'whole'
          ? await readStageRows(readStage(stageFolder(folder, stage, key)))
          : (await readPart(partFolder(folder, stage, key), Evidence.array())).flat()
      for (const row of stageRows) rows.set(row.id, row)
    }
  return [...rows.values()].sort(byTime)
}
