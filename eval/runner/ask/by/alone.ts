import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../../../src/config/schema.ts'
import type { SightBrief } from '../../../../src/core/brief.ts'
import {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type ContentPart,
  emptyUsage,
  type Price,
} from '../../../../src/core/chat.ts'
import { BackendError, UsageError } from '../../../../src/core/errors.ts'
import type { Video } from '../../../../src/core/video.ts'
import type { Trust } from '../../../../src/media/file/file-look.ts'
import { decodeFrames } from '../../../../src/media/frames.ts'
import { encodeJpeg } from '../../../../src/media/image.ts'
import { locateVideo } from '../../../../src/runtime/index/locate-video.ts'
import { filePolicy } from '../../../../src/runtime/index/plan-stages.ts'
import type { Models } from '../../../../src/runtime/models/models.ts'
import { rolePrices, usageCost } from '../../../../src/runtime/models/prices.ts'
import type { Library } from '../../../../src/store/library/library.ts'
import type { Redact } from '../../../../src/store/redact.ts'
import type { Sample } from '../../../data/sample.ts'
import { withBeside } from '../../../protocols/beside.ts'
import type { FrameMedia, FrameProtocol, FrameRequest } from '../../../protocols/frames.ts'
import { keyframeTimes } from '../../../protocols/keyframes.ts'
import { checkTakes, type MediaParts, mediaParts, withMedia } from '../../../protocols/native.ts'
import { shownWidth } from '../../../protocols/picture-size.ts'
import { shotTimes } from '../../../protocols/shots.ts'
import { isBlind, readNative } from '../../../protocols/show.ts'
import { subtitleText } from '../../../protocols/subtitles.ts'
import type { Agent, AgentVideo, AskResult } from '../agent.ts'
import { callFolder, questionCalls } from '../call-folder.ts'
import type { Answerer } from './answerer.ts'

interface DirectParts {
  library: Library
  models: Models
  frames: FrameProtocol // of the benchmark
  blind: boolean // asked without a video
  options: Record<string, unknown> // the benchmark's own settings
  price?: Price // of models.vision
  trust: Trust
  maxHours: number
  settings: Pick<Config, 'index' | 'models'>
  kept: string // where clips and smaller videos are kept, whatever the run
  folder: string // of the run
  redact: Redact
  epoch?: number
}

// models.vision alone, asked as the benchmark's protocol asks: frames and a text, no index and no tools.
const alone: Answerer = {
  async check({ options, runtime }) {
    await checkTakes(options, runtime.models)
    if (options.frames === 0) return
    const { service: chat } = await runtime.models.open('vision')
    if (chat.accepts.has('image')) return
    throw new UsageError(`${chat.id} takes no pictures, so it cannot be asked with frames.`, {
      hint: 'Set a model that sees: --set models.vision.backend=NAME; or show no frames: --option frames=0.',
    })
  },
  open(asking, folder) {
    const { benchmark, options, change, runtime, redact, epoch, wordingText, prompts } = asking
    const { library, models, settings } = runtime
    return directModel({
      library,
      models,
      redact,
      epoch,
      folder: change?.answers ?? folder,
      frames: benchmark.frames,
      blind: isBlind(asking),
      options: { ...options, wordingText, prompts },
      price: rolePrices(settings).vision,
      settings,
      kept: join(library.home, 'benchmarks'),
      ...filePolicy(settings.index),
    })
  },
}
export default alone

function directModel(parts: DirectParts): Agent {
  return {
    async open(path, { subtitles, samples, watch, signal }) {
      const { service: chat } = await parts.models.open('vision')
      if (parts.blind) return directVideo({ ...parts, chat, ...(await blindVideo(samples, subtitles)), signal })
      const { library, trust, maxHours } = parts
      const video = await locateVideo(library, path, { trust, maxHours, watch, signal })
      const { picture: size } = ShownFrames.parse(parts.options)
      const rate = video.picture?.frameRate ?? framesPerSecond
      const media = {
        ...(await describeMedia(video.duration, rate, subtitles)),
        ...(await takenFrom(parts, video, samples, signal)),
      }
      const jpegs = frameCache(video, size, signal)
      const native = readNative(parts.options) && mediaParts({ ...parts, video, signal })
      return directVideo({
        ...parts,
        chat,
        name: nameVideo(video, samples),
        shown: { id: video.id, name: video.name },
        samples,
        media,
        jpegs,
        native,
        signal,
      })
    },
  }
}

// What of the settings says how the frames are taken.
const ShownFrames = z.object({
  picture: z.enum(['low', 'high']).optional(),
  sampling: z.enum(['uniform', 'keyframes', 'shots']).optional(),
})

// What of the video a request is made from, beside its length and subtitles.
async function takenFrom(
  { options, models, settings, kept }: DirectParts,
  video: Video,
  samples: readonly Sample[],
  signal: AbortSignal,
): Promise<Partial<FrameMedia>> {
  const { sampling } = ShownFrames.parse(options)
  const moments =
    sampling === 'keyframes'
      ? await keyframeTimes(video, signal)
      : sampling === 'shots'
        ? await shotTimes(video, { models, settings: settings.index, kept, signal })
        : undefined
  const native = readNative(options)
  return { ...(moments && { moments }), ...(native && { native }), ...(samples[0]?.cut && { isClip: true }) }
}

// A clip is asked about by one question; questions with the same clues share it, and their calls must not meet.
function nameVideo(video: Video, [first]: readonly Sample[]): string {
  return first?.cut ? `${video.id}-${first.id}` : video.id
}

interface OpenParts extends DirectParts {
  chat: ChatModel
  name: string // the video's, in the keys of its calls
  shown?: SightBrief['video'] // absent where nothing is shown
  samples: readonly Sample[]
  media: FrameMedia
  jpegs(times: readonly number[]): Promise<Uint8Array[]>
  native?: MediaParts
  signal: AbortSignal
}

function directVideo(parts: OpenParts): AgentVideo {
  const { frames: protocol, media, options, jpegs } = parts
  const batches = planBatches(parts)
  return {
    duration: media.duration > 0 ? media.duration : undefined,
    async ask(_, { key, sample, ask: task, turns, signal }): Promise<AskResult> {
      const batched = batches(sample.id)
      if (batched) {
        const { text, reply, share } = await batched
        return buildResult(text ?? '', reply, share, parts.price) // a line that is missing is not an answer
      }
      const request = withBeside(protocol.request(sample, task, media, options, turns), sample, options)
      const reply = await send(parts, key, await chatRequest(request, parts, sample.question.text), signal)
      const share = { questions: 1, frames: framesIn(request) }
      return buildResult(protocol.read?.(reply.text, sample) ?? reply.text, reply, share, parts.price)
    },
    sight: async () => ({
      framesPerSecond: media.framesPerSecond,
      frames: jpegs,
      subtitles: media.subtitles,
    }),
    close: async () => {},
  }
}

interface Batched {
  text: string | undefined
  reply: ChatReply
  share: { questions: number; frames: number } // of the request that many questions shared
}

// Which request a question goes with, where several of a video are asked at once; each is made when its first answer is due.
function planBatches(parts: OpenParts): (id: string) => Promise<Batched> | undefined {
  const { frames: protocol, options, samples, media, signal, name } = parts
  const most = protocol.batch?.wanted(options)
  if (!protocol.batch || most === undefined) return () => undefined
  const { request, read } = protocol.batch
  const size = Math.min(most, Math.max(1, samples.length))
  const replyBySet = new Map<number, Promise<{ texts: (string | undefined)[]; reply: ChatReply; frames: number }>>()
  const ask = async (chunk: number) => {
    const of = samples.slice(chunk * size, (chunk + 1) * size)
    const [first] = of
    const plain = request(of, media, options)
    const frameRequest = first ? withBeside(plain, { ...first, clues: undefined }, options) : plain // of one video
    const reply = await send(parts, `${name}-${of[0]?.id}-batch`, await chatRequest(frameRequest, parts), signal)
    return { texts: read(reply.text, of), reply, frames: framesIn(frameRequest) }
  }
  return async id => {
    const sampleIndex = samples.findIndex(sample => sample.id === id)
    const chunk = Math.floor(sampleIndex / size)
    if (!replyBySet.has(chunk)) replyBySet.set(chunk, ask(chunk))
    const { texts, reply, frames } = await (replyBySet.get(chunk) as ReturnType<typeof ask>)
    return { text: texts[sampleIndex % size], reply, share: { questions: texts.length, frames } }
  }
}

function send({ chat, folder, ...parts }: OpenParts, key: string, request: ChatRequest, signal: AbortSignal) {
  return questionCalls(parts, callFolder(folder, key)).model(chat).reply(request, signal)
}

async function chatRequest(
  { system, turns, temperature, maxTokens, about }: FrameRequest,
  { jpegs, shown, native, options }: OpenParts,
  question?: string,
): Promise<ChatRequest> {
  const { picture: detail } = ShownFrames.parse(options)
  const times = turns.flatMap(({ parts }) => parts).flatMap(part => ('frame' in part ? [part.frame] : []))
  const pictures = (times.length > 0 ? await jpegs(times) : []).values()
  const messages: ChatRequest['messages'] = system
    ? [{ role: 'system', content: [{ type: 'text', text: system }] }]
    : []
  for (const { role, parts } of turns) {
    const content: ContentPart[] = []
    for (const contentPart of parts)
      content.push(
        'text' in contentPart
          ? { type: 'text', text: contentPart.text }
          : { type: 'image', jpeg: pictures.next().value!, time: contentPart.frame, ...(detail && { detail }) },
      )
    messages.push({ role, content })
  }
  if (native) withMedia(messages, await native(about))
  const brief: SightBrief | undefined = shown && {
    kind: 'sight',
    video: shown,
    task: 'look',
    question,
    pictures: times.map(time => [time]),
  }
  return { purpose: 'look', messages, temperature, maxTokens, ...(brief && { brief }) }
}

const framesAtOnce = 16 // decoded frames that are held in memory: 3 MB each at the larger size

// Frames at each moment once, for all the questions about a video, which wait for each other.
function frameCache(
  video: Video,
  size: z.infer<typeof ShownFrames>['picture'],
  signal: AbortSignal,
): OpenParts['jpegs'] {
  const jpegByTime = new Map<number, Uint8Array>()
  const decode = async (times: readonly number[]) => {
    if (!video.picture) throw new BackendError(`${video.name} has no picture to show.`)
    const width = shownWidth(video.picture, size)
    const missing = [...new Set(times)].filter(time => !jpegByTime.has(time))
    for (let at = 0; at < missing.length; at += framesAtOnce) {
      const batch = missing.slice(at, at + framesAtOnce)
      const frames = await decodeFrames(video, batch, { width }, signal)
      for (const [at, frame] of frames.entries()) jpegByTime.set(batch[at]!, await encodeJpeg(frame))
    }
    return times.map(time => jpegByTime.get(time)!)
  }
  let before: Promise<unknown> = Promise.resolve()
  return times => {
    const jpegs = before.then(() => decode(times))
    before = jpegs.catch(() => {})
    return jpegs
  }
}

function framesIn({ turns }: FrameRequest): number {
  return turns.flatMap(turn => turn.parts).filter(part => 'frame' in part).length
}

// A model alone gives no evidence and no confidence. A request that several questions shared is shared out among them.
function buildResult(
  text: string,
  reply: ChatReply,
  { questions, frames }: Batched['share'],
  price?: Price,
): AskResult {
  const usage = {
    ...emptyUsage,
    calls: 1 / questions,
    frames: frames / questions,
    inputTokens: reply.usage.inputTokens / questions,
    outputTokens: reply.usage.outputTokens / questions,
    money: usageCost(reply.usage, price) / questions,
  }
  const answer = { text, sentences: [], confidence: 0, abstained: false, degraded: [] }
  return { answer, evidence: [], steps: [], usage, stop: 'answered', frames: [], indexed: [] }
}

// Only the questions, with subtitles if the protocol shows them: what a model knows or guesses. The length is that of the data.
async function blindVideo(
  samples: readonly Sample[],
  subtitles: string | undefined,
): Promise<Pick<OpenParts, 'name' | 'samples' | 'media' | 'jpegs'>> {
  const duration = samples.find(sample => sample.stated !== undefined)?.stated ?? 0 // not known
  return {
    name: samples[0]?.video ?? '',
    samples,
    media: await describeMedia(duration, framesPerSecond, subtitles),
    jpegs: () => Promise.reject(new BackendError('No picture is shown in this run.')),
  }
}

const framesPerSecond = 25 // where no video says it

async function describeMedia(duration: number, rate: number, subtitles: string | undefined): Promise<FrameMedia> {
  return {
    duration,
    framesPerSecond: rate,
    lastFrame: Math.max(0, Math.round(duration * rate) - 1),
    subtitles: subtitles === undefined ? undefined : await subtitleText(subtitles),
  }
}
