import { asksWithoutIndex } from '../../../../graphs/index.ts'
import { speechTrack } from '../../../../tools/stages/results.ts'
import type { IndexSettings, SeekSettings } from '../../../core/settings.ts'
import { isVideoId, type Video } from '../../../core/video.ts'
import { localFile } from '../../../media/file/local-file.ts'
import { findSidecars } from '../../../media/file/sidecars.ts'
import { probe } from '../../../media/probe/probe.ts'
import { usage } from '../../../store/library/cache.ts'
import type { Library } from '../../../store/library/library.ts'
import { exists } from '../../../store/read-file.ts'
import { readStage } from '../../../store/stage/stage.ts'
import { checkStage, stageFolder } from '../../../store/stage/stage-check.ts'
import type { Models } from '../../models/models.ts'
import { recognise } from '../content/identify.ts'
import type { StageChanges } from '../plan-stages.ts'
import { chooseTrust, filePolicy, type Keyed, type Planned, planStages, planSubtitles } from '../plan-stages.ts'

interface MissingStage {
  stage: string
  secondsPerHour?: number // of video, as measured in this library; undefined if it never ran here
}

// What of a video's index is still to be made.
export function missingStages(
  library: Library,
  models: Models,
  settings: IndexSettings,
  changes?: StageChanges,
): (path: string) => Promise<MissingStage[]> {
  const planned = plannedStages(library, models, settings, changes)
  return async path =>
    (await planned(path)).filter(({ there }) => !there).map(({ stage, secondsPerHour }) => ({ stage, secondsPerHour }))
}

// Whether questions are asked without an index.
export async function makesNoIndex({ graph, seek }: { graph: string; seek: SeekSettings }): Promise<boolean> {
  return seek.words !== 'index' && (await asksWithoutIndex(graph))
}

export interface StageAtHand extends MissingStage {
  key: string
  video: string
  hours: number // of the video
  there: boolean
}

// The same, with those that are there already.
export function plannedStages(
  library: Library,
  models: Models,
  settings: IndexSettings,
  changes?: StageChanges,
): (path: string) => Promise<StageAtHand[]> {
  let speeds: Promise<Map<string, number>> | undefined
  return async path => {
    speeds ??= measuredSpeeds(library)
    const measured = await speeds
    const { video, plan } = await planIndex(path, library, models, settings, changes)
    const stages: StageAtHand[] = []
    for (const { planned, there } of plan) {
      if (planned.skip !== undefined) continue
      const { stage, key, by } = planned
      const secondsPerHour = measured.get(`${stage} ${by}`)
      stages.push({ stage, key, video: video.id, hours: video.duration / 3600, there, secondsPerHour })
    }
    return stages
  }
}

// Every stage of a video with whether its result is there, and nothing made or moved. Whether its subtitles hold words is known once
// they were read; before, it counts as subtitled where it has any.
export async function planIndex(
  path: string,
  library: Library,
  models: Models,
  settings: IndexSettings,
  changes?: StageChanges,
): Promise<{ video: Video; folder: string; plan: { planned: Planned; there: boolean }[] }> {
  const video = await videoAt(library, path, settings)
  const folder = library.videoFolder(video.id)
  const isThere = async ({ stage, key }: Keyed) => (await checkStage(folder, stage, key, 'use')).state === 'whole'
  const cues = await planSubtitles(video, models, settings)
  const mayHaveCues = settings.subtitles === 'use' && (video.sidecars.length > 0 || video.subtitles.length > 0)
  const subtitled =
    cues.skip === undefined && (await isThere(cues))
      ? (await speechTrack(readStage(stageFolder(folder, cues.stage, cues.key)))) !== undefined
      : mayHaveCues
  const stages = await planStages(video, models, settings, subtitled, changes)
  const plan = await Promise.all(
    stages.map(async planned => ({ planned, there: planned.skip === undefined && (await isThere(planned)) })),
  )
  return { video, folder, plan }
}

async function videoAt(library: Library, path: string, settings: IndexSettings): Promise<Video> {
  if (isVideoId(path) && !(await exists(path))) {
    const storedVideo = await library.find(path)
    if (storedVideo) return { ...storedVideo, sidecars: await findSidecars(storedVideo.path, storedVideo.name) }
  }
  const lookWork = { trust: chooseTrust(settings), watch: () => {}, signal: new AbortController().signal }
  const id = await recognise(library, await localFile(path), lookWork)
  return (id === undefined ? undefined : await library.find(id)) ?? probe(path, filePolicy(settings))
}

// Seconds that each stage took for an hour of video, over everything that this library holds.
export async function measuredSpeeds(library: Library): Promise<Map<string, number>> {
  const sums = new Map<string, { seconds: number; hours: number }>()
  for (const { video, stages } of await usage(library)) {
    for (const { stage, meta } of stages) {
      if (!video || !meta || video.duration <= 0) continue
      const key = `${stage} ${meta.by}`
      const sum = sums.get(key) ?? { seconds: 0, hours: 0 }
      sums.set(key, { seconds: sum.seconds + meta.seconds, hours: sum.hours + video.duration / 3600 })
    }
  }
  return new Map([...sums].map(([key, { seconds, hours }]) => [key, seconds / hours]))
}
