import { readPart } from '../../../tools/stages/journal.ts'
import { readStageRows, speechTrack } from '../../../tools/stages/results.ts'
import { byTime, Evidence } from '../../core/evidence.ts'
import type { Video } from '../../core/video.ts'
import { findSidecars } from '../../media/file/sidecars.ts'
import { readStage } from '../../store/stage/stage.ts'
import { checkStage, stageFolder } from '../../store/stage/stage-check.ts'
import { partFolder } from '../../store/stage/stage-parts.ts'
import type { FinishedWork } from './finished-index.ts'
import { type Planned, planStages, planSubtitles } from './plan-stages.ts'

// The rows of an index that is being made: those of finished stages, and what a stage that keeps its rows bit by bit has
// so far. It only reads, so that whoever makes the index is not held up.
export async function rowsSoFar(known: Video, { library, models, settings }: FinishedWork): Promise<Evidence[]> {
  const video = { ...known, sidecars: await findSidecars(known.path, known.name) }
  const folder = library.videoFolder(video.id)
  const finished = async (planned: Planned) => {
    if (planned.skip !== undefined) return undefined
    const { state } = await checkStage(folder, planned.stage, planned.key, 'sizes')
    return state === 'whole' ? readStage(stageFolder(folder, planned.stage, planned.key)) : undefined
  }
  const cues = await finished(await planSubtitles(video, models, settings))
  const subtitled = cues !== undefined && (await speechTrack(cues)) !== undefined
  const rows = new Map<string, Evidence>()
  for (const planned of await planStages(video, models, settings, subtitled)) {
    if (planned.skip !== undefined || !planned.how.rows) continue
    const result = await finished(planned)
    const stageRows = result
      ? await readStageRows(result)
      : (await readPart(partFolder(folder, planned.stage, planned.key), Evidence.array())).flat()
    for (const row of stageRows) rows.set(row.id, row)
  }
  return [...rows.values()].sort(byTime)
}
