import { shownUrl } from '../../../../models/http/address.ts'
import type { Preset } from '../../../../models/http/presets.ts'
import type { Role } from '../../../core/services.ts'
import { type RoleChoice, type RoleChoices, roles } from '../role-families.ts'
import type { ServedModel } from './found-server.ts'

// The chat roles and what each does, as a sentence says it, in its order.
const does: Partial<Record<Role, string>> = {
  planner: 'plans',
  writer: 'writes',
  verifier: 'checks',
  judge: 'judges',
  vision: 'looks',
  listen: 'listens',
}
export const wordRoles = Object.keys(does) as Role[]
export const textRoles = wordRoles.filter(role => role !== 'vision' && role !== 'listen')
const doing: Partial<Record<Role, string>> = { vision: 'looking', listen: 'listening' }

// A model with the server that has it.
export interface ModelCandidate extends ServedModel {
  server: { preset: Preset; url: string; keyName?: string }
}

export type Filled = Partial<Record<Role, ModelCandidate>>

// Which of the free roles these models fill: one for text, one that sees, and one that hears where its backend can listen.
export async function fillRoles(
  { text, sees }: { text?: ModelCandidate; sees?: ModelCandidate },
  free: ReadonlySet<Role>,
): Promise<Filled> {
  const hearing = [text, sees].find(model => model?.hears)
  const listens = hearing && (await roles.listen()).names.includes(hearing.server.preset.backend) ? hearing : undefined
  const candidates = wordRoles.map(
    role => [role, role === 'listen' ? listens : role === 'vision' ? sees : text] as const,
  )
  return Object.fromEntries(candidates.filter(([role, model]) => model && free.has(role)))
}

// The settings of a role that a model fills.
export function toRoleChoice(role: Role, model: ModelCandidate): RoleChoice {
  const { name, sees, callsTools, server } = model
  const { preset, url, keyName } = server
  const modalities = preset.backend in takesAll || role === 'listen' || sees !== false ? {} : { accepts: ['text'] }
  // Offered natively, tools would be dropped without a word by a chat template that has no place for them.
  const tools = role === 'planner' && callsTools === false ? { toolMode: 'schema' } : {}
  return { backend: preset.backend, url, model: name, ...(keyName && { apiKeyEnv: keyName }), ...modalities, ...tools }
}

export function toRoleChoices(filled: Filled): RoleChoices {
  const entries = Object.entries(filled) as [Role, ModelCandidate][]
  return Object.fromEntries(entries.map(([role, model]) => [role, toRoleChoice(role, model)]))
}

// Backends that ask their server what a model takes.
const takesAll: Partial<Record<Preset['backend'], true>> = { ollama: true }

// "ollama/qwen3:8b plans, writes, checks and judges; ollama/gemma3:4b looks".
export function sayFilled(filled: Filled, where: (model: ModelCandidate) => string = () => ''): string {
  const models = [...new Set(Object.values(filled))]
  return models
    .map(model => {
      const verbs = wordRoles.filter(role => filled[role] === model).map(role => does[role] ?? role)
      return `${shownName(model)}${where(model)} ${inWords(verbs)}`
    })
    .join('; ')
}

// "looking and listening stay as the profile has them".
export function sayUnfilled(filled: Filled, free: ReadonlySet<Role>): string {
  const unfilled = Object.entries(doing).flatMap(([role, word]) =>
    filled[role as Role] || !free.has(role as Role) ? [] : [word],
  )
  if (unfilled.length === 0) return ''
  return `; ${inWords(unfilled)} ${unfilled.length === 1 ? 'stays as the profile has it' : 'stay as the profile has them'}`
}

function shownName({ name, server }: Pick<ModelCandidate, 'name' | 'server'>): string {
  return server.preset.port === undefined && server.preset.local
    ? `${name} at ${shownUrl(new URL(server.url))}`
    : `${server.preset.name}/${name}`
}

export function inWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
