import { isDeepStrictEqual } from 'node:util'
import { parseLayer } from '../../config/layers/file-layer.ts'
import { profiles } from '../../config/profiles.ts'
import { type RoleSettings, type TierName, tierNames, tierRoles } from '../../config/tiers.ts'
import type { Tree } from '../../config/tree.ts'
import { StorageError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import type { Role } from '../../core/services.ts'
import { settingsFolder } from '../../store/home/home.ts'
import { readTextFile } from '../../store/read-file.ts'
import { replaceFile } from '../../store/replace-file.ts'

// The user's settings file that setup reads and writes: the one that counts, or the usual one if there is none.
export interface OwnFile {
  path: string
  content: Tree // as it is written there
}

export async function readOwnFile(environment: Readonly<Record<string, string | undefined>>): Promise<OwnFile> {
  const paths = settingsFolder(environment)
  for (const path of paths.toReversed()) {
    const text = await readTextFile(path)
    if (text === undefined) continue
    parseLayer(path, text) // refuses what is not a JSON object
    return { path, content: JSON.parse(text.replace(/^\uFEFF/, '')) }
  }
  return { path: paths[0] as string, content: {} }
}

export async function writeOwnFile({ path, content }: OwnFile): Promise<void> {
  await replaceFile(path, `${JSON.stringify(content, null, 2)}\n`).catch(error => {
    if (!(error instanceof StorageError)) throw error
    throw new StorageError(error.message, {
      hint: 'Mend that place, or set XDG_CONFIG_HOME to another.',
      cause: error,
    })
  })
}

// What setup sets: everything else in the file is the user's. A role that is undefined stays as the profile has it.
export interface WantedSettings {
  profile?: string
  model?: string // of one word for every chat role
  roles: Partial<Record<Role, RoleSettings | undefined>>
}

// The file with what is wanted. Of roles, setup replaces those that it has written itself, which are those of a tier.
export function withWanted(content: Tree, { profile, model, roles }: WantedSettings): Tree {
  const models: Tree = { ...(isObject(content.models) ? content.models : {}) }
  for (const [role, settings] of Object.entries(roles) as [Role, RoleSettings | undefined][]) {
    if (isUsers(content, role)) continue
    if (settings) models[role] = settings
    else delete models[role]
  }
  const chosenValues: Tree = {
    ...(profile !== undefined && { profile }),
    model,
    models: Object.keys(models).length > 0 ? models : undefined,
  }
  const entries = Object.entries({ ...content, ...chosenValues }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

// Whether the user has set a role in words of their own.
export function isUsers(content: Tree, role: Role): boolean {
  const current = isObject(content.models) ? content.models[role] : undefined
  return current !== undefined && !tierNames.some(name => isDeepStrictEqual(tierRoles(name)[role], current))
}

// What the roles of a tier are to be, over profile "local"; undefined: as it has them.
export function overLocal(roles: Partial<Record<Role, RoleSettings>>): WantedSettings['roles'] {
  return Object.fromEntries(
    Object.entries(roles).map(([role, settings]) => [
      role,
      isDeepStrictEqual(profiles.local[role as Role], settings) ? undefined : settings,
    ]),
  )
}

// The tier that the file sets: all roles of it but those of the user's own, and those that `model` fills.
export function findTier(content: Tree, filled: readonly Role[] = []): TierName | undefined {
  if (content.profile !== 'local') return undefined
  const models = isObject(content.models) ? content.models : {}
  return tierNames.findLast(name =>
    (Object.entries(tierRoles(name)) as [Role, RoleSettings][]).every(
      ([role, settings]) =>
        isUsers(content, role) ||
        filled.includes(role) ||
        isDeepStrictEqual(models[role] ?? profiles.local[role], settings),
    ),
  )
}
