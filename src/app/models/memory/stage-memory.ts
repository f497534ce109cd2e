import { stillsAtOnce } from '../../../../tools/stages/stills-at-once.ts'
import { UsageError } from '../../../core/errors.ts'
import { boundFor, memoryBound, memoryRoom } from '../../../core/memory-bound.ts'
import type { Video } from '../../../core/video.ts'
import { decodeMegabytes, decodersThatFit } from '../../../media/decode-memory.ts'
import { fittingSize } from '../../../media/filters.ts'
import { quoteName } from '../../../media/local-file.ts'
import type { IndexSettings, Planned, PlannedName } from '../../index/plan-stages.ts'
import type { Role } from '../families.ts'
import type { Models } from '../models.ts'

export const roleOf: Partial<Record<PlannedName, Role>> = {
  vectors: 'embedImage',
  text: 'readText',
  voices: 'voice',
  speech: 'transcribe',
  sounds: 'hear',
  meaning: 'embedText',
}

// What a stage takes besides Node and our modules, MB, with as little side by side as the bound asks for. Measured over 720p:
// docs/performance.md; the rest follows from sizes of pictures and model files.
export async function stageMegabytes(
  stage: PlannedName,
  { video, models, settings }: { video: Video; models: Models; settings: IndexSettings },
  room = memoryRoom() ?? Number.POSITIVE_INFINITY,
): Promise<number> {
  if (stage === 'decode')
    return decodeMegabytes(
      video.picture,
      room === 0 ? 1 : decodersThatFit(video.picture, settings.segments === 1 ? 1 : 2),
    )
  const role = roleOf[stage]
  const pictures = stage === 'vectors' || stage === 'text' ? pictureMegabytes(stage, video, settings.stillWidth) : 0
  const model = role && !models.isOff(role) ? await models.megabytes(role, room - pictures) : 0
  return 25 + pictures + model
}

// A bound that some stage cannot keep, however little runs beside it, is refused before anything begins.
export async function refuseBound(
  plan: readonly Planned[],
  work: { video: Video; models: Models; settings: IndexSettings },
): Promise<void> {
  const bound = memoryBound()
  const room = memoryRoom()
  if (!bound || room === undefined) return
  let most: { stage: PlannedName; by: string; megabytes: number } | undefined
  for (const planned of plan) {
    if (planned.skip !== undefined) continue
    const megabytes = await stageMegabytes(planned.stage, work, 0)
    if (!most || megabytes > most.megabytes) most = { stage: planned.stage, by: planned.by, megabytes }
  }
  if (!most || most.megabytes <= room) return
  const needed = boundFor(most.megabytes)
  const says =
    bound.from === 'setting'
      ? `limits.memory is ${Math.round(bound.megabytes)} MB`
      : `The container leaves ${Math.round(bound.megabytes)} MB`
  throw new UsageError(
    `${says}, and ${most.stage} of ${quoteName(work.video.name)} (${most.by}) needs ${needed} MB in all.`,
    {
      hint:
        bound.from === 'setting'
          ? `Set --max-memory ${needed}MB or more, ${orElse(most.stage)}.`
          : `Give the container ${Math.ceil(needed / 9) * 10} MB, ${orElse(most.stage)}.`,
    },
  )
}

function orElse(stage: PlannedName): string {
  const tracks: Partial<Record<PlannedName, string>> = {
    vectors: 'picture',
    text: 'text',
    voices: 'speech',
    speech: 'speech',
    sounds: 'sound',
  }
  const track = tracks[stage]
  return track
    ? `or go without it: --set index.tracks.${track}=false`
    : 'or take another backend or a smaller picture (ffmpeg -vf scale=1280:-2)'
}

function pictureMegabytes(stage: 'vectors' | 'text', { picture }: Video, stillWidth: number): number {
  if (!picture) return 0
  const { width, height } = fittingSize(picture, stillWidth)
  const frame = (width * height * 3) / 1e6
  // A frame as it is decoded, as it is copied, and made smaller or larger; text enlarges small ones.
  const enlarged = stage === 'text' ? Math.max(1, 1280 / width) ** 2 : 1
  return 45 + stillsAtOnce(16) * frame * 3 * enlarged
}
