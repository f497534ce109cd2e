import { isDeepStrictEqual } from 'node:util'
import { openWeb } from '../../../tools/web/index.ts'
import { roleNames } from '../../config/profiles.ts'
import type { ToolSettings, WebSettings } from '../../config/tool-settings.ts'
import { UsageError } from '../../core/errors.ts'
import { byTime, type Evidence, stamp } from '../../core/evidence.ts'
import type { WebSearcher } from '../../core/services.ts'
import type { NamedService, Permission, ToolContext, ToolServices } from '../../core/tool.ts'
import type { AudioSource, Video, VideoIndex } from '../../core/video.ts'
import type { Models } from '../models/models.ts'
import { runMemory } from '../tools/memory.ts'

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
      const { decodeFrames } = await import('../../media/frames.ts')
      return decodeFrames(index.video, times, { width, near, region }, signal)
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
  const { openSound } = await import('../../media/video-sound.ts')
  return openSound(video)
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

// The search engine that the settings name; its key comes from the environment and is written nowhere.
async function webSearch(models: Models, settings: WebSettings): Promise<NamedService<WebSearcher>> {
  const { keyVariable, ...choice } = settings
  const { found } = await models.keep(`web ${JSON.stringify(settings)}`, async ({ environment }) => {
    const key = keyVariable ? environment[keyVariable] : undefined
    if (keyVariable && !key)
      throw new UsageError(`tools.web.keyVariable names ${keyVariable}, which is not set.`, {
        hint: `Set it before you start: export ${keyVariable}=...`,
      })
    return { found: await openWeb({ ...choice, key }), close: async () => {} }
  })
  return found
}
