import { UsageError } from '../../core/errors.ts'
import { boundFor, memoryBound, memoryRoom } from '../../core/machine/memory.ts'
import type { IndexSettings } from '../../core/settings.ts'
import type { Stage } from '../../core/stage.ts'
import type { Video } from '../../core/video.ts'
import { quoteName } from '../../media/file/local-file.ts'
import type { Models } from '../models/models.ts'
import type { Planned } from './plan-stages.ts'

// What a stage takes besides Node and our modules, MB, with as little side by side as the bound asks for. Measured over 720p:
// docs/performance.md; the rest follows from sizes of pictures and model files.
export async function stageMegabytes(
  { role, megabytes }: Stage,
  { video, models, settings }: { video: Video; models: Models; settings: IndexSettings },
  room = memoryRoom() ?? Number.POSITIVE_INFINITY,
): Promise<number> {
  const ownMegabytes = (await megabytes?.({ video, settings }, room)) ?? base
  return ownMegabytes + (role && !models.isOff(role) ? await models.megabytes(role, room - (ownMegabytes - base)) : 0)
}

const base = 25 // MB of a stage without pictures

// Refuses a bound that some stage cannot keep even when it runs alone, before anything begins.
export async function refuseBound(
  plan: readonly Planned[],
  work: { video: Video; models: Models; settings: IndexSettings },
): Promise<void> {
  const bound = memoryBound()
  const room = memoryRoom()
  if (!bound || room === undefined) return
  let largest: { how: Stage; by: string; megabytes: number } | undefined
  for (const planned of plan) {
    if (planned.skip !== undefined) continue
    const megabytes = await stageMegabytes(planned.how, work, 0)
    if (!largest || megabytes > largest.megabytes) largest = { how: planned.how, by: planned.by, megabytes }
  }
  if (!largest || largest.megabytes <= room) return
  const needed = boundFor(largest.megabytes)
  const says =
    bound.from === 'setting'
      ? `limits.memory is ${Math.round(bound.megabytes)} MB`
      : `The container leaves ${Math.round(bound.megabytes)} MB`
  throw new UsageError(
    `${says}, and ${largest.how.name} of ${quoteName(work.video.name)} (${largest.by}) needs ${needed} MB in all.`,
    {
      hint:
        bound.from === 'setting'
          ? `Set --max-memory ${needed}MB or more, ${orElse(largest.how)}.`
          : `Give the container ${Math.ceil(needed / 9) * 10} MB, ${orElse(largest.how)}.`,
    },
  )
}

function orElse({ track }: Stage): string {
  return track
    ? `or go without it: --set index.tracks.${track}=false`
    : 'or take another backend or a smaller picture (ffmpeg -vf scale=1280:-2)'
}
