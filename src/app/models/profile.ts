import type { ProfileName } from '../../config/profiles.ts'
import { profiles } from '../../config/profiles.ts'
import type { Family, Host } from '../../core/backend.ts'
import { errorText } from '../../core/errors.ts'
import type { Role } from '../../core/services.ts'
import { examineRole } from './doctor/examine-role.ts'
import { roles } from './role-families.ts'

export interface ChosenProfile {
  name: ProfileName
  why: string
}

// Better profiles come first; `paper` and `remote` must be named.
const candidates: ProfileName[] = ['local', 'embedded']

// What "auto" stands for here: the best profile whose every role is ready, and the sentence that says why.
export async function chooseProfile(wanted: 'auto' | ProfileName, host: Host): Promise<ChosenProfile> {
  if (wanted !== 'auto') return { name: wanted, why: 'it was asked for' }
  let missing = ''
  for (const name of candidates) {
    const lacking = await firstLacking(name, host)
    if (!lacking) return { name, why: missing === '' ? 'everything it needs is ready' : missing }
    missing = `"${name}" is not ready: ${lacking}`
    if (name === 'embedded') return { name, why: `it needs nothing but the install, and yet: ${lacking}` }
  }
  throw new Error('The list of profiles is empty.')
}

async function firstLacking(name: ProfileName, host: Host): Promise<string | undefined> {
  const choices = Object.entries(profiles[name])
  for (const [role, choice] of choices) {
    const { state, detail } = await examineRole(role as Role, choice, host)
    if (state === 'missing' || state === 'broken') return `${role}/${choice.backend}: ${detail}`
  }
  // The files are all there; a profile that asks a server is only ready where it runs and has the models.
  const lists = new Map<string, Promise<string[] | string | undefined>>()
  for (const [role, { backend: name, ...settings }] of choices) {
    if (name === 'off') continue
    const family: Family<unknown> = await roles[role as Role]()
    const { server } = await family.load(name)
    if (!server) continue
    const list = lists.get(server.name) ?? server.models({}, host).catch(errorText)
    lists.set(server.name, list)
    const there = await list
    if (typeof there === 'string') return there
    const { model } = settings as { model?: unknown }
    if (there && !there.includes(String(model)) && !there.includes(`${model}:latest`))
      return `${role}/${name}: ${server.name} does not have ${model}`
  }
  return undefined
}
