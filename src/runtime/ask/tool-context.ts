import { isDeepStrictEqual } from 'node:util'
import { roleNames } from '../../config/profiles.ts'
import type { ToolSettings } from '../../config/tool-settings.ts'
import { byTime, type Evidence, stamp } from '../../core/evidence.ts'
import type { Permission, ToolContext, ToolServices } from '../../core/tool.ts'
import type { AudioSource, Video, VideoIndex } from '../../core/video.ts'
import type { Models } from '../models/models.ts'
import { runMemory } from '../tools/memory.ts'
import { webSearch } from '../tools/web-search.ts'

// What the tools of one question may touch: the video, its index, the models of the profile, and nothing else.
export function toolContext(
  index: VideoIndex,
  models: Models,
  permissions: ReadonlySet<Permission>,
  signal: AbortSignal,
  { code, web, look }: Pick<ToolSettings, 'code' | 'web' | 'look'>,
): ToolContext {
  const noted = new Map<string, Evidence>()
  let sound: Promise<AudioSource | undefined> | undefined
  return {
    video: index.video,
    index,
    services: { ...services(models), ...(web.provider === 'off' ? {} : { web: () => webSearch(models, web) }) },
    frames: async (times, width, near, region) => {
      const { decodeFrames: framesAt } = await import('../../media/frames.ts')
      return framesAt(index.video, times, { width, near, region }, signal)
    },
    jpeg: async frame => (await import('../../media/image.ts')).encodeJpeg(frame),
    audio: () => {
      sound ??= index.audio().then(found => found ?? ofFile(index.video))
      return sound
    },
    evidence: id => noted.get(id) ?? index.byId(id),
    known: () => [...new Map([...index.evidence(), ...noted.values()].map(row => [row.id, row])).values()].sort(byTime),
    note: (finding, by) => {
      const row = stamp(finding, index.video.id, by)
      noted.set(row.id, row)
      return row
    },
    permissions,
    memory: runMemory(),
    limits: { code, lookFrames: look.frames },
    spend: () => {},
    signal,
  }
}

async function ofFile(video: Video): Promise<AudioSource | undefined> {
  if (!video.sound) return undefined
  const { openSound: soundOf } = await import('../../media/video-sound.ts')
  return soundOf(video)
}

// Every role, opened when a tool first asks for it.
function services(models: Models): ToolServices {
  const byRole = Object.fromEntries(roleNames.map(role => [role, () => models.open(role)])) as unknown as ToolServices
  const retranscribe = async () => ({ ...(await models.open('retranscribe')), madeIndex: refinesNothing(models) })
  return { ...byRole, retranscribe }
}

// Listening again with what made the index finds what the index has.
function refinesNothing(models: Models): boolean {
  return isDeepStrictEqual(models.choice('retranscribe'), models.choice('transcribe'))
}
