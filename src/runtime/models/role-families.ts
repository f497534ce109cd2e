import { z } from 'zod'
import { type Backend, type BackendFamily, type Host, resolvedSettings } from '../../core/backend.ts'
import { nearest, UsageError } from '../../core/errors.ts'
import type { Role, RoleServices } from '../../core/services.ts'

export interface RoleChoice {
  backend: string
  [setting: string]: unknown
}

export type RoleChoices = Partial<Record<Role, RoleChoice>>

// Which family fills which role.
export const roles: { readonly [R in Role]: () => Promise<BackendFamily<RoleServices[R]>> } = {
  shots: () => import('../../../models/shots/index.ts').then(file => file.shotFinders),
  voice: () => import('../../../models/voice/index.ts').then(file => file.voiceFinders),
  transcribe: () => import('../../../models/transcribe/index.ts').then(file => file.transcribers),
  retranscribe: () => import('../../../models/transcribe/index.ts').then(file => file.transcribers),
  speakers: () => import('../../../models/speakers/index.ts').then(file => file.speakerFinders),
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
  detect: () => import('../../../models/detect/index.ts').then(file => file.detectors),
  faces: () => import('../../../models/faces/index.ts').then(file => file.faceFinders),
}

export interface LoadedChoice {
  name: string
  by: string // "transcribe/pocketsphinx"
  family: BackendFamily<unknown>
  backend: Backend<unknown>
  given: Record<string, unknown>
  settings: unknown // with the defaults of the backend filled in, and what is left to us as it is on this machine
}

// The backend that a role is set to, with its settings checked. Opens nothing.
export async function loadChoice(
  role: Role,
  { backend: name, ...given }: RoleChoice,
  host: Pick<Host, 'environment'>,
  place?: string, // of the choice among the settings, where that is not the role's
): Promise<LoadedChoice> {
  const { family, backend } = await checkNames(role, { backend: name, ...given }, place)
  const settings = await resolvedSettings(role, name, backend, given, host, place)
  return { name, by: `${family.role}/${name}`, family, backend, given, settings }
}

// The backend of a role, where it has all the settings that it is given.
export async function checkNames(
  role: Role,
  { backend: name, ...given }: RoleChoice,
  place = `models.${role}`,
): Promise<Pick<LoadedChoice, 'family' | 'backend'>> {
  const family: BackendFamily<unknown> = await roles[role]()
  const backend = await family.load(name)
  const unknown = unknownSetting(backend, given)
  if (unknown === undefined) return { family, backend }
  const settingNames = listSettings(backend)
  const knowing = await backendsWith(role, unknown)
  const near = nearest(unknown, settingNames)
  const hints = [
    near && `Did you mean "${near}"?`,
    knowing.length > 0 &&
      `${knowing.join(', ')} ${knowing.length === 1 ? 'has' : 'have'} it: take it out, or choose the backend with --set ${place}.backend=${knowing[0]}.`,
    settingNames.length === 0 ? `${name} takes no settings.` : `Settings of ${name}: ${settingNames.join(', ')}.`,
    'See "longtake config schema" for what each backend takes.',
  ]
  throw new UsageError(`${place} (${name}) has no setting "${unknown}".`, { hint: hints.filter(Boolean).join(' ') })
}

function unknownSetting(backend: Backend<unknown>, given: Record<string, unknown>): string | undefined {
  const issues = backend.settings.safeParse(given).error?.issues ?? []
  const strange = issues.find(issue => issue.code === 'unrecognized_keys' && issue.path.length === 0)
  return strange?.code === 'unrecognized_keys' ? strange.keys[0] : undefined
}

function listSettings(backend: Backend<unknown>): string[] {
  return Object.keys(z.toJSONSchema(backend.settings, { io: 'input', unrepresentable: 'any' }).properties ?? {})
}

// The backends that can fill a role, or those of them that have this setting.
export async function backendsWith(role: Role, setting?: string): Promise<string[]> {
  const family: BackendFamily<unknown> = await roles[role]()
  const backends = await Promise.all(family.names.map(family.load))
  return family.names.filter((_, at) => {
    const backend = backends[at]
    if (!backend || backend.standIn) return false
    return setting === undefined || listSettings(backend).includes(setting)
  })
}

// How a role that is off is given a backend: one that has the setting if there is any.
export async function howToFill(role: Role, setting?: string): Promise<string> {
  const having = await backendsWith(role, setting)
  const names = having.length > 0 ? having : await backendsWith(role)
  return `Set a backend (${names.join(', ')}), as --set models.${role}.backend=${names[0]}; "longtake doctor" shows what each still needs.`
}

// Whether a backend says that it is self-contained (core/backend.ts); false if there is no such role or backend.
export async function isSelfContained(role: string, backend: string): Promise<boolean> {
  if (!Object.hasOwn(roles, role)) return false
  const family: BackendFamily<unknown> = await roles[role as Role]()
  return family.names.includes(backend) && (await family.load(backend)).selfContained === true
}
