import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caption, SightBrief } from '../../src/core/brief.ts'
import type { ChatModel, ChatRequest } from '../../src/core/chat.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { CaptionSettings } from '../../src/core/settings.ts'
import type { StageContext, StageReader } from '../../src/core/stage.ts'
import type { Shot, Still, Video } from '../../src/core/video.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { findOrMakeStage, readStage } from '../../src/store/stage/stage.ts'
import { makeCaptions } from '../../tools/stages/captions/make-captions.ts'
import { indexSettings, stageContext } from './stage-context.ts'

export const usualCaptions: CaptionSettings = { mode: 'shots', seconds: 30, frames: 16, budget: {} }

// A video as the decode stage leaves it: for each shot, which grey its stills have and when they were kept.
export interface MadeShot {
  start: number
  end: number
  stills: { time: number; reason?: Still['reason']; grey?: number }[]
}

export async function decodedVideo(shots: readonly MadeShot[], size = { width: 64, height: 36 }) {
  const folder = await mkdtemp(join(tmpdir(), 'longtake-captions-'))
  const decoded = join(folder, 'decoded')
  await mkdir(decoded)
  const pictures = new Map<number, Uint8Array>()
  const chunks: Uint8Array[] = []
  const stills: Still[] = []
  const places = new Map<number, number>()
  let offset = 0
  for (const [shot, { stills: kept }] of shots.entries())
    for (const { time, reason = 'shot', grey = 0 } of kept) {
      const jpeg = pictures.get(grey) ?? (await greyPicture(grey, size))
      if (!pictures.has(grey)) {
        pictures.set(grey, jpeg)
        places.set(grey, offset)
        chunks.push(jpeg)
        offset += jpeg.length
      }
      stills.push({ time, shot, reason, ...size, offset: places.get(grey) ?? 0, length: jpeg.length })
    }
  const list: Shot[] = shots.map(({ start, end }) => ({ start, end, opens: 'cut' }))
  await writeFile(join(decoded, 'stills.bin'), Buffer.concat(chunks))
  await writeFile(join(decoded, 'stills.json'), JSON.stringify(stills))
  await writeFile(join(decoded, 'shots.json'), JSON.stringify(list))
  const duration = shots.at(-1)?.end ?? 0
  const video = { id: 'v1', name: 'talk.mp4', duration, picture: { ...size } } as Video
  return { folder, video, decode: readStage(decoded), remove: () => rm(folder, { recursive: true, force: true }) }
}

async function greyPicture(grey: number, { width, height }: { width: number; height: number }): Promise<Uint8Array> {
  return encodeJpeg({ time: 0, width, height, rgb: new Uint8Array(width * height * 3).fill(grey) })
}

// The captions stage over such a video, as the index makes it: in a folder of results, with parts that outlive a failure.
export async function captionedStage(
  { folder, video, decode }: Awaited<ReturnType<typeof decodedVideo>>,
  service: ChatModel,
  given: {
    captions?: Partial<CaptionSettings>
    rows?: Evidence[]
    signal?: AbortSignal
    price?: StageContext['price']
    progress?: StageContext['progress']
    key?: string
    others?: StageReader[]
  } = {},
): Promise<{ rows: Evidence[]; result: StageReader; notes: string[] }> {
  const { captions, rows = [], signal = new AbortController().signal, price, key = 'k', progress, others = [] } = given
  const made = await findOrMakeStage({
    ...{ folder, stage: 'captions', key, by: 'vision/test', settings: {}, inputs: {}, video: video.id, signal },
    make: out =>
      makeCaptions(
        stageContext<'vision'>({
          ...{ video, out, signal, price, ...(progress && { progress }) },
          settings: { ...indexSettings, captions: { ...usualCaptions, ...captions } },
          open: async () => ({ service, by: 'vision/test' }),
          results: {
            rows: async () => rows,
            earlier: async setting => (setting === 'captions' ? others : []),
            result: stage => (stage === 'decode' ? decode : undefined),
          },
        }),
      ),
  })
  const result = readStage(made.folder)
  const { Evidence: Row } = await import('../../src/core/evidence.ts')
  return { rows: await result.lines('evidence.jsonl', Row), result, notes: made.meta.notes }
}

export const plainCaption: Caption = {
  events: [{ frame: 1, text: 'A man in a red coat opens a door' }],
  people: [{ looks: 'a man in a red coat', does: 'opens a door', name: '' }],
  place: 'a hall',
  objects: ['a blue door'],
  text: [],
  camera: 'still',
}

// A model that sees and replies as it is told; it keeps what it was asked.
export function seeingModel(
  say: (request: ChatRequest, nth: number) => string | Promise<string> = () => JSON.stringify(plainCaption),
  atOnce?: number,
) {
  const asked: ChatRequest[] = []
  const model: ChatModel = {
    id: 'chat/test/sees',
    accepts: new Set(['text', 'image']),
    ...(atOnce && { atOnce }),
    async reply(request, signal) {
      signal.throwIfAborted()
      asked.push(request)
      const text = await say(request, asked.length)
      return { text, calls: [], stop: 'end', usage: { inputTokens: 100, outputTokens: 20 }, model: 'sees' }
    },
  }
  return { model, asked }
}

export function briefOf(request: ChatRequest | undefined): SightBrief {
  return request?.brief as SightBrief
}
