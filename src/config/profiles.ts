import type { Role } from '../core/services.ts'

// Every role that a model or method can fill, with what it is for.
export const roleTexts = {
  shots: 'finds shot boundaries',
  voice: 'finds where somebody speaks',
  transcribe: 'speech to text, for the whole video',
  retranscribe: 'speech to text, once more and better, for a span that a question is about',
  readText: 'reads text on screen',
  hear: 'names sounds that are not words, for the whole video',
  listen: 'listens to a span that a question is about',
  embedImage: 'turns frames into vectors for search',
  embedText: 'turns lines into vectors for search',
  planner: 'decides what to look at next',
  writer: 'writes the answer',
  verifier: 'tries each sentence against the evidence it cites',
  vision: 'looks at frames and answers about them',
  judge: 'grades answers of a benchmark',
  rerank: 'rates how well a line fits a query',
  detect: 'finds things in a frame',
  faces: 'finds faces in a frame, and whose they are',
} as const satisfies Record<Role, string>

export const roleNames = Object.keys(roleTexts) as Role[]

// Without shots there is nothing to index and nothing to show.
export const neverOff: Role[] = ['shots']

// A backend by name; everything else is its settings, which it checks itself.
export interface RoleSettings {
  backend: string
  [setting: string]: unknown
}

export type Profile = Record<Role, RoleSettings>

// Needs nothing but the install: the floor that every other profile stands on.
const embedded: Profile = {
  shots: { backend: 'frame-difference' },
  voice: { backend: 'silero' },
  transcribe: { backend: 'pocketsphinx' },
  retranscribe: { backend: 'pocketsphinx' },
  readText: { backend: 'tesseract' },
  hear: { backend: 'signal' },
  listen: { backend: 'signal' },
  embedImage: { backend: 'colour-layout' },
  embedText: { backend: 'off' },
  planner: { backend: 'rules' },
  writer: { backend: 'rules' },
  verifier: { backend: 'rules' },
  vision: { backend: 'off' },
  judge: { backend: 'off' },
  rerank: { backend: 'off' },
  detect: { backend: 'off' },
  faces: { backend: 'off' },
}

// ONNX Runtime for perception, Ollama for the language and vision models.
const local: Profile = {
  ...embedded,
  transcribe: { backend: 'whisper', model: 'small' },
  retranscribe: { backend: 'whisper', model: 'large-v3' },
  hear: { backend: 'clap' },
  listen: { backend: 'clap' },
  embedImage: { backend: 'siglip' },
  embedText: { backend: 'onnx', model: 'minilm' },
  planner: { backend: 'ollama', model: 'qwen3:4b' },
  writer: { backend: 'ollama', model: 'qwen3:4b' },
  verifier: { backend: 'ollama', model: 'qwen3:4b' },
  vision: { backend: 'ollama', model: 'qwen2.5vl:7b' },
  judge: { backend: 'ollama', model: 'qwen3:4b' },
  rerank: { backend: 'cross-encoder' },
}

// LongShOTAgent with the models that its paper names.
const paper: Profile = {
  ...local,
  listen: { backend: 'openai', model: 'nvidia/audio-flamingo-3' },
}

// Every model behind an OpenAI-compatible server; which one stands in each role's `url` and `model`.
const remote: Profile = {
  ...embedded,
  transcribe: { backend: 'openai' },
  retranscribe: { backend: 'openai' },
  listen: { backend: 'openai' },
  embedText: { backend: 'openai' },
  planner: { backend: 'openai' },
  writer: { backend: 'openai' },
  verifier: { backend: 'openai' },
  vision: { backend: 'openai' },
  judge: { backend: 'openai' },
}

// A named choice of a backend for every role.
export const profiles = { embedded, local, paper, remote }
export type ProfileName = keyof typeof profiles
export const profileNames = Object.keys(profiles) as ProfileName[]
