import { type Backend, backendSettings, type Family } from '../../core/backend.ts'
import type { Role, RoleServices } from '../../core/services.ts'

export interface RoleChoice {
  backend: string
  [setting: string]: unknown
}

// Which family fills which role.
export const roles: { readonly [R in Role]: () => Promise<Family<RoleServices[R]>> } = {
  shots: () => import('../../../models/shots/index.ts').then(file => file.shotFinders),
  voice: () => import('../../../models/voice/index.ts').then(file => file.voiceFinders),
  transcribe: () => import('../../../models/transcribe/index.ts').then(file => file.transcribers),
  retranscribe: () => import('../../../models/transcribe/index.ts').then(file => file.transcribers),
  readText: () => import('../../../models/read-text/index.ts').then(file => file.textReaders),
  hear: () => import('../../../models/hear/index.ts').then(file => file.listeners),
  listen: () => import('../../../models/hear/index.ts').then(file => file.listeners),
  embedImage: () => import('../../../models/embed-image/index.ts').then(file => file.imageEncoders),
  embedText: () => import('../../../models/embed-text/index.ts').then(file => file.textEncoders),
  planner: () => import('../../../models/chat/index.ts').then(file => file.chatModels),
  writer: () => import('../../../models/chat/index.ts').then(file => file.chatModels),
  verifier: () => import('../../../models/chat/index.ts').then(file => file.chatModels),
  vision: () => import('../../../models/chat/index.ts').then(file => file.chatModels),
  judge: () => import('../../../models/chat/index.ts').then(file => file.chatModels),
  rerank: () => import('../../../models/rerank/index.ts').then(file => file.rerankers),
  detect: () => import('../../../models/detect/index.ts').then(file => file.detectors),
  faces: () => import('../../../models/faces/index.ts').then(file => file.faceFinders),
}

export interface LoadedChoice {
  name: string
  by: string // "transcribe/pocketsphinx"
  family: Family<unknown>
  backend: Backend<unknown>
  given: Record<string, unknown>
  settings: unknown // with the defaults of the backend filled in
}

// The backend that a role is set to, with its settings checked. Opens nothing.
export async function loadChoice(role: Role, { backend: name, ...given }: RoleChoice): Promise<LoadedChoice> {
  const family: Family<unknown> = await roles[role]()
  const backend = await family.load(name)
  const settings = backendSettings(role, name, backend, given)
  return { name, by: `${family.role}/${name}`, family, backend, given, settings }
}

// Whether a backend says that it is self-contained (core/backend.ts); false where there is no such role or backend.
export async function isSelfContained(role: string, backend: string): Promise<boolean> {
  if (!Object.hasOwn(roles, role)) return false
  const family: Family<unknown> = await roles[role as Role]()
  return family.names.includes(backend) && (await family.load(backend)).selfContained === true
}
