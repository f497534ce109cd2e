import { type ChatProbe, probeChat } from '../../../../models/chat/probe.ts'
import type { ChatModel } from '../../../core/chat.ts'
import type { RoleCheck } from '../../../core/runtime.ts'
import type { Role, RoleServices, SmallFrame } from '../../../core/services.ts'
import type { AudioSource, Frame } from '../../../core/video.ts'

// What came of trying a role: a sentence, or the checks of a chat model.
export type Tried = string | RoleCheck[]

type Trials = { [R in Role]?: (service: RoleServices[R], signal: AbortSignal) => Promise<Tried> }

// One tiny piece of the work of a role, through the very interface that the stages and tools use. A role without one is only opened.
export const trials: Trials = {
  async shots(finder) {
    finder.push(smallFrame)
    finder.finish()
    return 'one frame looked at'
  },
  async voice(finder, signal) {
    await finder.voices(sampleSound, signal)
    return 'two seconds listened to'
  },
  transcribe,
  retranscribe: transcribe,
  async speakers(finder, signal) {
    for await (const _ of finder.turns(sampleSound, signal)) break
    return 'two seconds listened to'
  },
  async readText(reader, signal) {
    await reader.read([sampleFrame], signal)
    return 'one frame read'
  },
  hear,
  listen: hear,
  async embedImage(encoder, signal) {
    const [vector = []] = await encoder.images([sampleFrame], signal)
    const [words] = await encoder.text(['red'], signal)
    if (words && words.length !== vector.length)
      throw new Error(`pictures have ${vector.length} numbers and words ${words.length}`)
    return `one frame and one word as ${vector.length} numbers`
  },
  async embedText(encoder, signal) {
    const [vector = []] = await encoder.passages(['a red house by the river'], signal)
    return `one line as ${vector.length} numbers`
  },
  planner: chat,
  writer: chat,
  verifier: chat,
  vision: chat,
  judge: chat,
  async detect(detector, signal) {
    await detector.detect([sampleFrame], ['a face'], signal)
    return 'one frame looked at'
  },
  async faces(finder, signal) {
    await finder.faces([sampleFrame], signal)
    return finder.people.length > 0 ? `one frame looked at; knows ${finder.people.join(', ')}` : 'one frame looked at'
  },
}

async function transcribe(service: RoleServices['transcribe'], signal: AbortSignal): Promise<Tried> {
  const request = { audio: sampleSound, spans: [sampleSpan], language: 'en' }
  for await (const _ of service.transcribe(request, signal)) break
  return 'two seconds listened to'
}

async function hear(service: RoleServices['hear'], signal: AbortSignal): Promise<Tried> {
  for await (const _ of service.hear({ audio: sampleSound, span: sampleSpan }, signal)) break
  return 'two seconds listened to'
}

async function chat(model: ChatModel, signal: AbortSignal): Promise<Tried> {
  const { checks }: ChatProbe = await probeChat(model, signal)
  return checks
}

// The little that a doctor shows and plays to a model.

const [width, height] = [96, 64]

const sampleFrame: Frame = {
  time: 0,
  width,
  height,
  rgb: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 7) % 256),
}

const smallFrame: SmallFrame = {
  time: 0,
  width: 16,
  height: 16,
  y: new Uint8Array(256).fill(90),
  u: new Uint8Array(64).fill(128),
  v: new Uint8Array(64).fill(128),
}

const rate = 16_000
const seconds = 2

const sampleSpan = { start: 0, end: seconds }

// A tone that swells, so that it is neither silence nor speech.
const sampleSound: AudioSource = {
  duration: seconds,
  rate,
  async read({ start, end }) {
    const from = Math.max(0, Math.round(start * rate))
    const to = Math.min(seconds * rate, Math.round(end * rate))
    return Float32Array.from(
      { length: Math.max(0, to - from) },
      (_, i) => (Math.sin(((from + i) * 440 * 2 * Math.PI) / rate) * 0.3 * (from + i)) / (seconds * rate),
    )
  },
}
