import type { Role } from '../core/services.ts'
import { type RoleSettings, tierRoles } from './tiers.ts'
import type { Tree } from './tree.ts'

// Every role that a model or method can fill: what it is for, and the backend that needs nothing but the install.
const roles: Record<Role, { about: string; embedded: string }> = {
  shots: { about: 'finds shot boundaries', embedded: 'frame-difference' },
  voice: { about: 'voice activity detection', embedded: 'silero' },
  transcribe: { about: 'speech to text, for the whole video', embedded: 'pocketsphinx' },
  retranscribe: {
    about: 'speech to text, once more and better, for a span that a question is about',
    embedded: 'pocketsphinx',
  },
  speakers: { about: 'tells who speaks when (speaker diarisation)', embedded: 'off' },
  readText: { about: 'reads text on screen', embedded: 'ppocr' },
  hear: { about: 'sound event detection, for the whole video', embedded: 'signal' },
  listen: { about: 'listens to a span that a question is about', embedded: 'signal' },
  embedImage: { about: 'turns frames into vectors for search', embedded: 'colour-layout' },
  embedText: { about: 'turns lines into vectors for search', embedded: 'off' },
  planner: { about: 'decides what to look at next', embedded: 'rules' },
  writer: { about: 'writes the answer', embedded: 'rules' },
  verifier: { about: 'tries each sentence against the evidence it cites', embedded: 'rules' },
  vision: { about: 'looks at frames and answers about them', embedded: 'off' },
  judge: { about: 'grades answers of a benchmark', embedded: 'off' },
  detect: { about: 'finds things in a frame', embedded: 'off' },
  faces: { about: 'finds faces in a frame, and whose they are', embedded: 'off' },
}

export const roleNames = Object.keys(roles) as Role[]

export function aboutRole(role: Role): string {
  return roles[role].about
}

// Without shots there is nothing to index and nothing to show.
export const neverOff: Role[] = ['shots']

type Profile = Record<Role, RoleSettings>

function withBackends(backends: [Role, string][]): Partial<Profile> {
  return Object.fromEntries(backends.map(([role, backend]) => [role, { backend }]))
}

// The floor that every other profile stands on.
const embedded = withBackends(roleNames.map(role => [role, roles[role].embedded])) as Profile

// ONNX Runtime for perception, Ollama for one model that talks and sees: the smallest tier.
const local: Profile = { ...embedded, ...tierRoles('8GB') }

// No server at all: one model that sees and listens, in this process, for every role of the agent.
const inProcess: RoleSettings = { backend: 'onnx', model: 'gemma-3n-e2b' }
const onnx: Profile = {
  ...local,
  listen: inProcess,
  ...Object.fromEntries(
    (['planner', 'writer', 'verifier', 'vision', 'judge'] satisfies Role[]).map(role => [
      role,
      { ...inProcess, contextTokens: 16_384 },
    ]),
  ),
}

// LongShOTAgent with the models that its paper names. What the paper leaves open, and what deviates: docs/models.md.
const qwen3 = { backend: 'ollama', model: 'qwen3:4b-instruct' }
const qwenVision = { backend: 'ollama', model: 'qwen2.5vl:7b' }
const paper: Profile = {
  ...embedded,
  transcribe: { backend: 'whisper', model: 'small' },
  retranscribe: { backend: 'whisper', model: 'onnx-community/whisper-large-v3-ONNX', precision: 'fp16' },
  readText: { backend: 'paddle', model: 'ppocr-v5-server' },
  hear: { backend: 'clap' },
  listen: { backend: 'openai', url: 'http://127.0.0.1:8013/v1', model: 'nvidia/audio-flamingo-3-hf' },
  embedImage: { backend: 'siglip', model: 'Xenova/siglip-base-patch16-512' },
  embedText: { backend: 'onnx', model: 'minilm' },
  planner: qwen3,
  writer: qwen3,
  verifier: qwen3,
  vision: qwenVision,
  judge: { backend: 'ollama', model: 'qwen3:14b', think: false },
  detect: { backend: 'owl', model: 'owlv2' },
  faces: { backend: 'vlm', chat: qwenVision, boxes: 'pixels' },
}

// Every model behind an OpenAI-compatible server; which one stands in each role's `url` and `model`.
const served: Role[] = [
  'transcribe',
  'retranscribe',
  'listen',
  'embedText',
  'planner',
  'writer',
  'verifier',
  'vision',
  'judge',
]
const remote: Profile = { ...embedded, ...withBackends(served.map(role => [role, 'openai'])) }

// A named choice of a backend for every role.
export const profiles = { embedded, local, onnx, paper, remote }
export type ProfileName = keyof typeof profiles
export const profileNames = Object.keys(profiles) as ProfileName[]

export const aboutProfiles: Record<'auto' | ProfileName, string> = {
  auto: 'The best models that are on this machine, and rules for the rest',
  embedded: 'Rules answer; small models that come with longtake transcribe and read; no server is asked',
  local: 'One model of Ollama answers and sees; larger models transcribe, read and search by meaning',
  onnx: 'As local, with one model in this process that answers, sees and listens',
  paper: 'LongShOTAgent with the models that its paper names; needs a GPU and servers',
  remote: 'Servers of the OpenAI protocol answer, see and transcribe; video leaves this machine',
}

// What a profile sets besides the models of its roles.
export const profileSettings: Partial<Record<ProfileName, Tree>> = {
  paper: { tools: { sets: 'longshot' }, index: { stillsPerSecond: 1 } },
}
