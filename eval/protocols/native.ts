import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { ChatRequest, ContentPart } from '../../src/core/chat.ts'
import { BackendError, UsageError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import type { Span } from '../../src/core/time.ts'
import type { Video } from '../../src/core/video.ts'
import { wavBytes } from '../../src/media/audio.ts'
import { makeClip, soundBits } from '../../src/media/playback/clip.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { openSound } from '../../src/media/video-sound.ts'
import type { Models } from '../../src/runtime/models/models.ts'
import { createFile } from '../../src/store/create-file.ts'
import { exists } from '../../src/store/read-file.ts'
import { cutClip } from './clue-clips.ts'
import { mostBytes, mostSeconds } from './show.ts'

// A part that the model does not take is refused before the first question; frames never stand in for it.
export async function checkTakes(options: Record<string, unknown>, models: Pick<Models, 'open'>): Promise<void> {
  const { video, audio } = options
  const sent = [
    ...(video === undefined || video === 'off' ? [] : [{ part: 'video', by: `video=${String(video)}` } as const]),
    ...(audio === 'whole' ? [{ part: 'audio', by: 'audio=whole' } as const] : []),
  ]
  if (sent.length === 0) return
  const { service: chat } = await models.open('vision')
  const refused = sent.find(({ part }) => !chat.accepts.has(part))
  if (!refused) return
  const all = JSON.stringify([...chat.accepts, refused.part])
  throw new UsageError(
    `${chat.id} takes ${[...chat.accepts].join(' and ')}; --option ${refused.by} sends ${refused.part}.`,
    {
      hint: `Set models.vision to a model that takes ${refused.part}; if this one does: --set 'models.vision.accepts=${all}'.`,
    },
  )
}

// The video itself and its sound as the options have them; of these spans only, if a question may show no more.
export type MediaParts = (about?: readonly Span[]) => Promise<ContentPart[]>

interface MediaWork {
  video: Video
  options: Record<string, unknown>
  settings: { models: { vision: Record<string, unknown> } }
  kept: string // folder of clips and smaller videos
  signal: AbortSignal
}

// Each is made once, for all the questions about a video.
export function mediaParts(work: MediaWork): MediaParts {
  const cache = new Map<string, Promise<ContentPart[]>>()
  return (about = []) => {
    const key = contentHash(about)
    const cachedParts = cache.get(key) ?? buildParts(work, about)
    cache.set(key, cachedParts)
    return cachedParts
  }
}

async function buildParts(work: MediaWork, about: readonly Span[]): Promise<ContentPart[]> {
  const { video, audio } = work.options
  const videoParts = video === undefined || video === 'off' ? [] : [await videoPart(work, about)]
  return [...videoParts, ...(audio === 'whole' ? await soundParts(work, about) : [])]
}

async function videoPart(work: MediaWork, about: readonly Span[]): Promise<ContentPart> {
  const { options, settings, kept, signal } = work
  const clips = join(kept, 'clips')
  const whole =
    about.length === 0
      ? work.video
      : await probe(
          await cutClip({ id: work.video.id, open: async () => work.video }, about, { folder: clips, signal }),
        )
  const maxBytes = typeof options.mostBytes === 'number' ? options.mostBytes : undefined
  const most = maxBytes ?? (settings.models.vision.files === true ? undefined : mostBytes)
  const small = most !== undefined && options.video === 'fit' && whole.bytes > most
  const path = small ? await fitted(whole, most, { ...work, folder: clips }) : whole.path
  const { size } = await stat(path)
  if (most !== undefined && size > most)
    throw new BackendError(
      `${whole.name} has ${size} bytes${small ? ' even when made smaller' : ''}, and mostBytes is ${most}.`,
      {
        hint: 'Raise --option mostBytes, or have it made smaller: --option video=fit.',
      },
    )
  const id = small ? contentHash(['fit', whole.id, most]).slice(0, 20) : whole.id
  return { type: 'video', id, mime: mimes[extname(path).toLowerCase()] ?? 'video/mp4', file: () => path }
}

const mimes: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.mov': 'video/quicktime',
  '.avi': 'video/x-msvideo',
  '.mpg': 'video/mpeg',
  '.mpeg': 'video/mpeg',
  '.ts': 'video/mp2t',
  '.flv': 'video/x-flv',
}

const longerEdge = 512
const framesPerSecond = 2
const leastBits = 20_000

// The video in so many bytes, made once and kept: the longer edge 512, two pictures a second.
async function fitted(video: Video, most: number, { folder, signal }: MediaWork & { folder: string }): Promise<string> {
  const file = join(folder, `${contentHash(['fit 1', video.id, most]).slice(0, 24)}.mp4`)
  if (await exists(file)) return file
  const { width = 1, height = 1 } = video.picture ?? {}
  const bits = (0.85 * 8 * most) / Math.max(1, video.duration) - (video.sound ? soundBits : 0)
  const small = { framesPerSecond, bitsPerSecond: Math.max(leastBits, bits) }
  const lines = Math.max(2, Math.round(height * Math.min(1, longerEdge / Math.max(width, height))))
  const span = { start: 0, end: video.duration }
  await createFile(file, made => makeClip({ video, span, height: lines, small, signal }, made))
  return file
}

async function soundParts({ video, options, signal }: MediaWork, about: readonly Span[]): Promise<ContentPart[]> {
  const sound = openSound(video, signal)
  const seconds = typeof options.mostAudioSeconds === 'number' ? options.mostAudioSeconds : mostSeconds
  const spans = about.length > 0 ? about : [{ start: 0, end: sound.duration }]
  const parts: ContentPart[] = []
  for (const { start, end } of spans.flatMap(span => cutPieces(span, seconds))) {
    const samples = await sound.read({ start, end })
    if (samples.length > 0) parts.push({ type: 'audio', wav: wavBytes(samples) })
  }
  return parts
}

export function cutPieces({ start, end }: Span, seconds: number): Span[] {
  const count = Math.max(0, Math.ceil((end - start) / seconds - 1e-9))
  return Array.from({ length: count }, (_, i) => ({
    start: start + i * seconds,
    end: Math.min(end, start + (i + 1) * seconds),
  }))
}

// Before the first text of the first question of a conversation, after its frames.
export function withMedia(messages: ChatRequest['messages'], parts: readonly ContentPart[]): void {
  const first = messages.find(({ role }) => role === 'user')
  const at = first?.content.findIndex(part => part.type === 'text') ?? -1
  first?.content.splice(at < 0 ? first.content.length : at, 0, ...parts)
}
