import { probeChat } from '../../../../models/chat/probe.ts'
import type { BackendFamily, Host, RanOn } from '../../../core/backend.ts'
import { withDeadline } from '../../../core/basics/signals.ts'
import { errorText, LongtakeError } from '../../../core/errors.ts'
import type { RoleCheck, RoleReport } from '../../../core/runtime.ts'
import type { Role, RoleServices, SmallFrame } from '../../../core/services.ts'
import type { AudioSource, Frame } from '../../../core/video.ts'
import { loadChoice, type RoleChoice, roles } from '../role-families.ts'

const patience = 180 // seconds for all that is tried of one role

// The checks that a role must pass; the others are only reported.
const needed: Partial<Record<Role, RoleCheck['what'][]>> = {
  planner: ['answers', 'tools'],
  writer: ['answers', 'schema'],
  verifier: ['answers', 'schema'],
  judge: ['answers', 'schema'],
  vision: ['answers', 'images'],
}

// Really opens a role and gives it one tiny piece of its work. Roles that share a model and its settings are tried once.
export function roleProber(host: Host): (role: Role, choice: RoleChoice, looked: RoleReport) => Promise<RoleReport> {
  const tried = new Map<string, Promise<Outcome>>()
  return async (role, choice, looked) => {
    if (looked.state !== 'ready') return looked
    const family = (await roles[role]()).role
    const key = `${family} ${JSON.stringify(choice)}`
    const outcome = tried.get(key) ?? tryRole(role, choice, host)
    tried.set(key, outcome)
    return { ...looked, ...judged(role, await outcome, looked.detail) }
  }
}

interface Outcome {
  tried?: Tried
  failed?: { detail: string; mend: string }
  models?: string[]
  ran: RanOn[]
  seconds: number
}

async function tryRole(role: Role, choice: RoleChoice, host: Host): Promise<Outcome> {
  const began = performance.now()
  const ran = new Map<string, RanOn>()
  const limit = withDeadline(patience, host.signal)
  const { signal } = limit
  const watching: Host = { ...host, signal, say() {}, ran: report => ran.set(report.model, report) }
  const outcome: Outcome = { ran: [], seconds: 0 }
  try {
    outcome.models = await served(role, choice, watching)
    outcome.tried = await openAndTry(role, choice, watching)
  } catch (error) {
    host.signal.throwIfAborted()
    outcome.failed = { detail: errorText(error), mend: fixFor(error, role, signal) }
  } finally {
    limit.clear()
  }
  return { ...outcome, ran: [...ran.values()], seconds: (performance.now() - began) / 1000 }
}

async function openAndTry(role: Role, choice: RoleChoice, host: Host): Promise<Tried> {
  const { family, backend, settings } = await loadChoice(role, choice, host)
  const service = await backend.open(hurried(settings), host)
  try {
    // Rules and scripts are no language models: there is nothing to find out about them.
    if (backend.standIn && family.role === 'chat') return 'works without any model'
    const trial = trials[role] as ((service: unknown, signal: AbortSignal) => Promise<Tried>) | undefined
    return (await trial?.(service, host.signal)) ?? 'it was opened'
  } finally {
    await (service as { close?(): Promise<void> }).close?.()
  }
}

// One try is enough to see how a server is.
function hurried(settings: unknown): unknown {
  if (!settings || typeof settings !== 'object') return settings
  const { limits, chat, ...rest } = settings as Record<string, unknown>
  return {
    ...rest,
    ...(chat ? { chat: { ...chat, limits: { ...(chat as { limits?: object }).limits, attempts: 1 } } } : {}),
    ...(limits ? { limits: { ...limits, attempts: 1 } } : {}),
  }
}

// Asked of the server itself, for a backend that has one, or of the one that its chat model has.
async function served(role: Role, { backend, ...settings }: RoleChoice, host: Host): Promise<string[] | undefined> {
  const { chat } = settings as { chat?: RoleChoice }
  if (chat && typeof chat === 'object') return served('planner', chat, host)
  const family: BackendFamily<unknown> = await roles[role]()
  return (await family.load(backend)).server?.models(settings, host)
}

function fixFor(error: unknown, role: Role, signal: AbortSignal): string {
  if (error instanceof LongtakeError && error.hint) return error.hint
  if (signal.aborted) return `It takes longer than ${patience} s: choose a smaller model for models.${role}.`
  return `See "longtake doctor --debug", or choose another backend: --set models.${role}.backend=NAME.`
}

function judged(role: Role, outcome: Outcome, summary: string): Partial<RoleReport> {
  const { tried, failed, models, ran, seconds } = outcome
  const common = { seconds, ...(models && { models }), ...(ran.length > 0 && { ran }) }
  if (failed) return { ...common, state: 'broken', ...failed }
  if (typeof tried === 'string' || !tried) return { ...common, detail: `${summary}: ${tried}` }
  const lacking = (needed[role] ?? ['answers']).flatMap(what => tried.filter(check => check.what === what))
  const worst =
    lacking.find(check => check.state === 'no' || check.state === 'not tried') ??
    lacking.find(check => check.state === 'partly')
  if (!worst || worst.state === 'yes')
    return { ...common, checks: tried, detail: tried.find(check => check.what === 'answers')?.detail ?? summary }
  const state = worst.state === 'partly' ? 'weak' : 'broken'
  return { ...common, checks: tried, state, detail: worst.detail, mend: worst.mend ?? 'Choose another model.' }
}

// What came of trying a role: a sentence, or the checks of a chat model.
type Tried = string | RoleCheck[]

type Trials = { [R in Role]?: (service: RoleServices[R], signal: AbortSignal) => Promise<Tried> }

// One tiny piece of the work of a role, through the very interface that the stages and tools use. A role without one is only opened.
const trials: Trials = {
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
  planner: probeChat,
  writer: probeChat,
  verifier: probeChat,
  vision: probeChat,
  judge: probeChat,
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
