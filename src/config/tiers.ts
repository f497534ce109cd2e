import type { Role } from '../core/services.ts'

// A backend by name; everything else is its settings, which it checks itself.
export interface RoleSettings {
  backend: string
  [setting: string]: unknown
}

// A model that a tier uses, and what it costs.
interface TierModel {
  what: string
  use: RoleSettings // backend and settings of the roles that it fills
  download: number // GB; setup asks the hub for the true size
  memory: number // GB while it works, estimated: of ONNX 1.3 times its files, of Ollama its file and 16,384 tokens of context
  licence: string
  seen: 'name and size' | 'name' // in stored pages of the hub and of Ollama, or of projects that use it; the registries were not asked
  day: string // on which it was looked up
  note?: string
}

// The models by a name of ours. What is newer replaces one entry, here and nowhere else.
const models = {
  'qwen3.5-4b': {
    what: 'Qwen3.5 4B',
    use: { backend: 'ollama', model: 'qwen3.5:4b', think: false },
    download: 3.4,
    memory: 5,
    licence: 'Apache-2.0',
    seen: 'name and size',
    day: '2026-11-28',
    note: 'told not to think, which needs Ollama 0.31.2; also good: gemma4:e4b, qwen3-vl:4b-instruct',
  },
  'qwen3.5-9b': {
    what: 'Qwen3.5 9B',
    use: { backend: 'ollama', model: 'qwen3.5:9b', think: false },
    download: 6.6,
    memory: 8.5,
    licence: 'Apache-2.0',
    seen: 'name and size',
    day: '2026-11-28',
    note: 'told not to think, which needs Ollama 0.31.2; also good: qwen3-vl:8b-instruct',
  },
  'qwen3.8-27b': {
    what: 'Qwen3.8 27B',
    use: { backend: 'ollama', model: 'qwen3.8:27b', think: false },
    download: 18,
    memory: 21,
    licence: 'Apache-2.0',
    seen: 'name and size',
    day: '2026-11-28',
    note: 'told not to think, which needs Ollama 0.31.2; faster: qwen3.6:35b-a3b (24 GB); also good: gemma4:26b',
  },
  'qwen3.6-35b-a3b': {
    what: 'Qwen3.6 35B-A3B',
    use: { backend: 'ollama', model: 'qwen3.6:35b-a3b-q8_0', think: false },
    download: 38,
    memory: 41,
    licence: 'Apache-2.0',
    seen: 'name and size',
    day: '2026-11-28',
    note: 'told not to think, which needs Ollama 0.31.2; or behind vLLM: vllm serve Qwen/Qwen3.6-35B-A3B',
  },
  'whisper-small': {
    what: 'Whisper small',
    use: { backend: 'whisper', model: 'small' },
    download: 1,
    memory: 1.3,
    licence: 'Apache-2.0',
    seen: 'name',
    day: '2026-11-22',
    note: 'with times of words; parakeet is faster, for 25 European languages only',
  },
  'whisper-turbo': {
    what: 'Whisper large-v3 turbo',
    use: { backend: 'whisper', model: 'large-v3-turbo' },
    download: 1.6,
    memory: 2.1,
    licence: 'MIT',
    seen: 'name',
    day: '2026-11-22',
    note: 'with times of words',
  },
  'ppocr-mobile': {
    what: 'PP-OCRv5 mobile',
    use: { backend: 'paddle', model: 'ppocr-v5-mobile' },
    download: 0.02,
    memory: 0.3,
    licence: 'Apache-2.0',
    seen: 'name',
    day: '2026-11-22',
  },
  'ppocr-server': {
    what: 'PP-OCRv5 server',
    use: { backend: 'paddle', model: 'ppocr-v5-server' },
    download: 0.2,
    memory: 0.5,
    licence: 'Apache-2.0',
    seen: 'name',
    day: '2026-11-22',
  },
  clap: {
    what: 'CLAP',
    use: { backend: 'clap' },
    download: 0.6,
    memory: 0.9,
    licence: 'Apache-2.0',
    seen: 'name and size',
    day: '2026-11-22',
  },
  'siglip2-base': {
    what: 'SigLIP 2 base',
    use: { backend: 'siglip' },
    download: 1.5,
    memory: 2,
    licence: 'Apache-2.0',
    seen: 'name',
    day: '2026-11-22',
  },
  'siglip2-so400m': {
    what: 'SigLIP 2 so400m',
    use: { backend: 'siglip', model: 'so400m' },
    download: 2.3,
    memory: 3,
    licence: 'Apache-2.0',
    seen: 'name',
    day: '2026-11-22',
  },
  'e5-small': {
    what: 'multilingual E5 small',
    use: { backend: 'onnx', model: 'e5-small' },
    download: 0.5,
    memory: 0.7,
    licence: 'MIT',
    seen: 'name and size',
    day: '2026-11-22',
  },
  'qwen3-embedding': {
    what: 'Qwen3 Embedding 0.6B',
    use: {
      backend: 'ollama',
      model: 'qwen3-embedding:0.6b',
      queryPrefix: 'Instruct: Given a question about a video, find the lines that answer it\nQuery: ',
    },
    download: 0.6,
    memory: 1.5,
    licence: 'Apache-2.0',
    seen: 'name',
    day: '2026-11-22',
  },
} satisfies Record<string, TierModel>

type ModelName = keyof typeof models

export interface Tier {
  about: string
  card: number // GiB of a graphics card from which on it is suggested
  memory?: number // GiB of the processor's memory from which on it is suggested without a card
  models: Partial<Record<Role, TierModel>>
}

const smallTools = {
  readText: 'ppocr-mobile',
  hear: 'clap',
  listen: 'clap',
  embedImage: 'siglip2-base',
  embedText: 'e5-small',
} as const
const largeTools = {
  ...smallTools,
  readText: 'ppocr-server',
  embedImage: 'siglip2-so400m',
  embedText: 'qwen3-embedding',
} as const

// What runs well in how much memory. One chat model that sees fills every chat role, so that nothing is swapped.
export const tiers = {
  '8GB': {
    about: 'only a processor, or a card of 4 to 8 GB',
    card: 5,
    memory: 7,
    models: filled('qwen3.5-4b', 'whisper-small', smallTools),
  },
  '16GB': {
    about: 'a card of 12 to 16 GB',
    card: 11.5,
    models: filled('qwen3.5-9b', 'whisper-turbo', smallTools),
  },
  '24GB': {
    about: 'a card of 24 to 48 GB',
    card: 23,
    models: filled('qwen3.8-27b', 'whisper-turbo', largeTools),
  },
  '80GB': {
    about: 'a card of 48 GB or more',
    card: 44,
    models: filled('qwen3.6-35b-a3b', 'whisper-turbo', largeTools),
  },
} satisfies Record<string, Tier>

export type TierName = keyof typeof tiers
export const tierNames = Object.keys(tiers) as TierName[]

// What the roles of a tier are set to.
export function tierRoles(name: TierName): Partial<Record<Role, RoleSettings>> {
  return Object.fromEntries(Object.entries(tiers[name].models).map(([role, { use }]) => [role, { ...use }]))
}

// The models of a tier, each once, with the roles that it fills.
export function tierModels(name: TierName): { model: TierModel; roles: Role[] }[] {
  const rolesByModel = new Map<TierModel, Role[]>()
  for (const [role, model] of Object.entries(tiers[name].models) as [Role, TierModel][])
    rolesByModel.set(model, [...(rolesByModel.get(model) ?? []), role])
  return [...rolesByModel].map(([model, roles]) => ({ model, roles }))
}

// GB to fetch where none of it is here.
export function tierDownload(name: TierName): number {
  return Math.round(tierModels(name).reduce((sum, { model }) => sum + model.download, 0) * 10) / 10
}

function filled(
  chat: ModelName,
  transcribe: ModelName,
  others: Partial<Record<Role, ModelName>>,
): Partial<Record<Role, TierModel>> {
  const chats = { planner: chat, writer: chat, verifier: chat, vision: chat, judge: chat }
  const named = { ...chats, transcribe, retranscribe: 'whisper-turbo' as const, ...others }
  return Object.fromEntries(Object.entries(named).map(([role, name]) => [role, models[name]]))
}
