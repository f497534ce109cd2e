import type { Role } from '../core/services.ts'

// Every role that a model or method can fill: what it is for, and the backend that needs nothing but the install.
const roles: Record<Role, { about: string; embedded: string }> = {
  shots: { about: 'finds shot boundaries', embedded: 'frame-difference' },
  voice: { about: 'voice activity detection', embedded: 'silero' },
  transcribe: { about: 'speech to text, for the whole video', embedded: 'pocketsphinx' },
  retranscribe: {
    about: 'speech to text, once more and better, for a span that a question is about',
    embedded: 'pocketsphinx',
  },
  readText: { about: 'reads text on screen', embedded: 'tesseract' },
  hear: { about: 'sound event detection, for the whole video', embedded: 'signal' },
  listen: { about: 'listens to a span that a question is about', embedded: 'signal' },
  embedImage: { about: 'turns frames into vectors for search', embedded: 'colour-layout' },
  embedText: { about: 'turns lines into vectors for search', embedded: 'off' },
  planner: { about: 'decides what to look at next', embedded: 'rules' },
  writer: { about: 'writes the answer', embedded: 'rules' },
  verifier: { about: 'tries each sentence against the evidence it cites', embedded: 'rules' },
  vision: { about: 'looks at frames and answers about them', embedded: 'off' },
  judge: { about: 'grades answers of a benchmark', embedded: 'off' },
  rerank: { about: 'rates how well a line fits a query', embedded: 'off' },
  detect: { about: 'finds things in a frame', embedded: 'off' },
  faces: { about: 'finds faces in a frame, and whose they are', embedded: 'off' },
}

export const roleNames = Object.keys(roles) as Role[]

export function aboutRole(role: Role): string {
  return roles[role].about
}

// Without shots there is nothing to index and nothing to show.
export const neverOff: Role[] = ['shots']

// A backend by name; everything else is its settings, which it checks itself.
export interface RoleSettings {
  backend: string
  [setting: string]: unknown
}

export type Profile = Record<Role, RoleSettings>

function withBackends(backends: [Role, string][]): Partial<Profile> {
  return Object.fromEntries(backends.map(([role, backend]) => [role, { backend }]))
}

// The floor that every other profile stands on.
const embedded = withBackends(roleNames.map(role => [role, roles[role].embedded])) as Profile

// ONNX Runtime for perception, Ollama for the language and vision models.
const local: Profile = {
  ...embedded,
  transcribe: { backend: 'whisper', model: 'small' },
  retranscribe: { backend: 'whisper', model: 'large-v3' },
  hear: { backend: 'clap' },
  listen: { backend: 'clap' },
  embedImage: { backend: 'siglip' },
  embedText: { backend: 'onnx', model: 'minilm' },
  planner: { backend: 'ollama', model: 'qwen3:4b-instruct' },
  writer: { backend: 'ollama', model: 'qwen3:4b-instruct' },
  verifier: { backend: 'ollama', model: 'qwen3:4b-instruct' },
  vision: { backend: 'ollama', model: 'qwen2.5vl:7b' },
  judge: { backend: 'ollama', model: 'qwen3:4b-instruct' },
  rerank: { backend: 'cross-encoder', model: 'mmarco' },
}

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

// LongShOTAgent with the models that its paper names.
const paper: Profile = {
  ...local,
  listen: { backend: 'openai', model: 'nvidia/audio-flamingo-3' },
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
