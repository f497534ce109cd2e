import { join } from 'node:path'
import { z } from 'zod'
import { BackendError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import type { IndexSettings } from '../../src/core/settings.ts'
import type { Video } from '../../src/core/video.ts'
import { decodePass } from '../../src/media/pass/decode-pass.ts'
import type { Models } from '../../src/runtime/models/models.ts'
import { ensureFolder, writeWhole } from '../../src/store/durable.ts'
import { exists } from '../../src/store/read-file.ts'

interface ShotWork {
  models: Pick<Models, 'openFresh' | 'chosen'>
  settings: IndexSettings
  kept: string // folder
  signal: AbortSignal
}

// The middle of each shot, as models.shots finds them in one pass over the picture. Found once, and kept by the video and the settings.
export async function shotTimes(video: Video, { models, settings, kept, signal }: ShotWork): Promise<number[]> {
  if (!video.picture) throw new BackendError(`${video.name} has no picture, so it has no shots.`)
  const { level } = settings
  const file = join(
    kept,
    'shots',
    `${contentHash(['shots 1', video.id, level, await models.chosen('shots')]).slice(0, 24)}.json`,
  )
  if (await exists(file)) return z.array(z.number()).parse(JSON.parse(await readBoundedText(file, 64e6)))
  const { service: finder } = await models.openFresh('shots')
  const cuts: number[] = []
  const sinks = {
    small: (frame: Parameters<typeof finder.push>[0]) => void cuts.push(...finder.push(frame).map(readTime)),
  }
  const report = await decodePass(video, settings, sinks, signal)
  cuts.push(...finder.finish().map(readTime))
  const { first = 0 } = report.picture ?? {}
  const edges = [
    first,
    ...cuts.filter(time => time > first && time < video.duration).sort((a, b) => a - b),
    video.duration,
  ]
  const times = edges.slice(1).map((end, i) => ((edges[i] ?? 0) + end) / 2)
  await ensureFolder(join(kept, 'shots'))
  await writeWhole(file, JSON.stringify(times))
  return times
}

function readTime({ time }: { time: number }): number {
  return time
}
