import { dirname, join } from 'node:path'
import type { Watch } from '../../core/agent.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { SharedStages } from '../../core/stage.ts'
import type { Video } from '../../core/video.ts'
import { findSidecars } from '../../media/file/sidecars.ts'
import { contentFile } from '../../store/library/content-record.ts'
import type { Library } from '../../store/library/library.ts'
import { type SeenPaths, see } from '../../store/seen-paths.ts'
import { findStage } from '../../store/stage/stage.ts'
import { checkStage, stageFolder } from '../../store/stage/stage-check.ts'
import type { Models } from '../models/models.ts'
import { isUnchanged } from './content/guard.ts'
import { findWhole, type IndexedVideo } from './find-index.ts'
import { chooseTrust, planStages } from './plan-stages.ts'

export interface FinishedWork {
  library: Library
  models: Models
  settings: IndexSettings
  signal: AbortSignal
  shared?(video: Video, watch: Watch): Promise<SharedStages> // results of other machines, looked for where one is missing here
}

export interface Unfinished {
  what: 'changed' | 'damaged' | 'missing'
  why: string
  mend: string
}

// The whole index of a video as the settings want it, or what is wrong with it. Changes nothing on disk, but for what it gets from other
// machines. A list looks at sizes
// only; what is going to be read is looked at by its content too. `seen` receives the paths that decide it, as they looked before.
export async function finishedIndex(
  known: Video,
  work: FinishedWork,
  by: 'sizes' | 'use' = 'use',
  seen?: SeenPaths,
): Promise<IndexedVideo | Unfinished> {
  const { library, models, settings, signal } = work
  const folder = library.videoFolder(known.id)
  await see(seen, known.path, dirname(known.path), contentFile(folder))
  const video = { ...known, sidecars: await findSidecars(known.path, known.name) }
  await see(seen, ...video.sidecars)
  const watch = () => {}
  const shared = by === 'use' ? await work.shared?.(video, watch) : undefined
  const mend = `longtake index ${video.path}`
  if (!(await isUnchanged(video, folder, { trust: chooseTrust(settings), watch, signal })))
    return { what: 'changed', why: 'its file has changed since it was indexed', mend }
  const faults: string[] = []
  const whole = await findWhole({ video, folder, models, settings, watch, signal }, async ({ stage, key }) => {
    const resultFolder = stageFolder(folder, stage, key)
    await see(seen, resultFolder, join(resultFolder, 'meta.json'))
    const check = await checkStage(folder, stage, key, by)
    if (check.state === 'newer') throw check.error
    if (check.state === 'damaged') faults.push(`${stage}: ${check.fault}`)
    if (check.state === 'absent' && shared) return findStage(folder, stage, key, undefined, shared)
    if (check.state !== 'whole') return undefined
    for (const [path, look] of check.seen) seen?.set(path, look)
    return { stage, key, folder: resultFolder, meta: check.meta, reused: true }
  })
  if (faults.length > 0) return { what: 'damaged', why: `its index is damaged (${faults.join('; ')})`, mend }
  return whole ?? { what: 'missing', why: 'it has no index made with these settings', mend }
}

// The stages that indexing would make now. Whether there are subtitles is known only once they were looked for.
export async function listMissingStages(known: Video, work: FinishedWork): Promise<{ stage: string; by: string }[]> {
  const { library, models, settings } = work
  const video = { ...known, sidecars: await findSidecars(known.path, known.name) }
  const folder = library.videoFolder(video.id)
  const missing: { stage: string; by: string }[] = []
  for (const planned of await planStages(video, models, settings, false)) {
    if (planned.skip !== undefined) continue
    const check = await checkStage(folder, planned.stage, planned.key, 'sizes')
    if (check.state !== 'whole') missing.push({ stage: planned.stage, by: planned.by })
  }
  return missing
}
