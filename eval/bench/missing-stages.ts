import { asksWithoutIndex } from '../../src/app/ask/run-graph.ts'
import { recognise } from '../../src/app/index/content/identify.ts'
import { filePolicy, planStages, trustOf } from '../../src/app/index/plan-stages.ts'
import type { StageChanges } from '../../src/app/index/stage-changes.ts'
import type { Models } from '../../src/app/models/models.ts'
import type { Config } from '../../src/config/schema.ts'
import type { Video } from '../../src/core/video.ts'
import { localFile } from '../../src/media/file/local-file.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { usage } from '../../src/store/library/cache.ts'
import type { Library } from '../../src/store/library/library.ts'
import { findStage } from '../../src/store/stage/stage.ts'

export interface MissingStage {
  stage: string
  secondsPerHour?: number // of video, as measured in this library; undefined where it never ran here
}

// What of a video's index is still to be made. Whether its subtitles hold words is not known before they are read: it counts
// as subtitled where it has any.
export function missingStages(
  library: Library,
  models: Models,
  settings: Config['index'],
  changes?: StageChanges,
): (path: string) => Promise<MissingStage[]> {
  const planned = plannedStages(library, models, settings, changes)
  return async path =>
    (await planned(path)).filter(({ there }) => !there).map(({ stage, secondsPerHour }) => ({ stage, secondsPerHour }))
}

// Whether questions are asked without one.
export async function makesNoIndex({ graph, seek }: Pick<Config, 'graph' | 'seek'>): Promise<boolean> {
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
  settings: Config['index'],
  changes?: StageChanges,
): (path: string) => Promise<StageAtHand[]> {
  let speeds: Promise<Map<string, number>> | undefined
  return async path => {
    speeds ??= measuredSpeeds(library)
    const measured = await speeds
    const video = await videoAt(library, path, settings)
    const subtitled = settings.subtitles === 'use' && (video.sidecars.length > 0 || video.subtitles.length > 0)
    const plan = await planStages(video, models, settings, subtitled, changes)
    const stages: StageAtHand[] = []
    for (const planned of plan) {
      if (planned.skip !== undefined) continue
      const { stage, key, by } = planned
      const found = await findStage(library.videoFolder(video.id), stage, key).catch(() => undefined)
      const secondsPerHour = measured.get(`${stage} ${by}`)
      stages.push({
        stage,
        key,
        video: video.id,
        hours: video.duration / 3600,
        there: found !== undefined,
        secondsPerHour,
      })
    }
    return stages
  }
}

async function videoAt(library: Library, path: string, settings: Config['index']): Promise<Video> {
  const work = { trust: trustOf(settings), watch: () => {}, signal: new AbortController().signal }
  const id = await recognise(library, await localFile(path), work)
  return (id === undefined ? undefined : await library.find(id)) ?? probe(path, filePolicy(settings))
}

// Seconds that each stage took for an hour of video, over everything that this library holds.
async function measuredSpeeds(library: Library): Promise<Map<string, number>> {
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
