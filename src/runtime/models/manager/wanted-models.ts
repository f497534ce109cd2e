import type { Backend, BackendFamily, Host, ModelNeed } from '../../../core/backend.ts'
import type { Role } from '../../../core/services.ts'
import { loadChoice, type RoleChoice, type RoleChoices, roles } from '../role-families.ts'

// A model that some roles are set to, and where it comes from.
export type ModelWish = WantedFiles | WantedOllama

export interface WantedFiles {
  kind: 'hub'
  name: string // "organisation/name"
  revision: string
  files: string[]
  optional?: string[]
  instead?: Record<string, string> // fetched for a file that the repository has not, where the choice was left to us
  roles: string[]
}

export interface WantedOllama {
  kind: 'ollama'
  name: string
  url?: string
  roles: string[]
}

// The models that the chosen backends run on; a model that several roles share is listed once.
export async function wantedModels(choices: RoleChoices, host: Host): Promise<ModelWish[]> {
  const modelsByKey = new Map<string, ModelWish>()
  for (const role of Object.keys(roles) as Role[]) {
    const choice = choices[role]
    if (!choice || choice.backend === 'off') continue
    for (const model of await listModels(role, choice, host)) {
      const key = `${model.kind} ${model.name} ${model.kind === 'hub' ? model.revision : model.url}`
      const earlier = modelsByKey.get(key)
      if (!earlier) modelsByKey.set(key, model)
      else {
        earlier.roles.push(role)
        if (earlier.kind === 'hub' && model.kind === 'hub') {
          earlier.files = [...new Set([...earlier.files, ...model.files])].sort()
          earlier.instead = { ...earlier.instead, ...model.instead }
          earlier.optional = [...new Set([...(earlier.optional ?? []), ...(model.optional ?? [])])]
        }
      }
    }
  }
  host.signal.throwIfAborted()
  return [...modelsByKey.values()]
}

async function listModels(role: Role, choice: RoleChoice, host: Host): Promise<ModelWish[]> {
  const { backend, given, settings } = await loadChoice(role, choice, host)
  const plain = (given.precision ?? 'auto') === 'auto' ? inFp32(backend, settings, given) : []
  const files = (backend.needs?.(settings) ?? []).flatMap(({ model }, at) => {
    if (!model) return []
    const pairs = model.files.map((file, i) => [file, plain[at]?.model?.files[i] ?? file])
    const replaced = pairs.filter(([file, other]) => file !== other)
    const common = { kind: 'hub' as const, name: model.repository, files: [...model.files].sort(), roles: [role] }
    return [{ ...model, ...common, ...(replaced.length > 0 && { instead: Object.fromEntries(replaced) }) }]
  })
  return [...files, ...(await servedModels(role, backend, given))]
}

// The needs as they are with the files that every model has.
function inFp32(
  backend: Backend<unknown>,
  settings: unknown,
  { decoderPrecision }: Record<string, unknown>,
): ModelNeed[] {
  if (typeof settings !== 'object' || settings === null || !('precision' in settings)) return []
  return backend.needs?.({ ...settings, precision: 'fp32', decoderPrecision }) ?? []
}

// A backend may hold a chat model inside it, as a reader of text that asks one does.
async function servedModels(
  role: Role,
  backend: Backend<unknown>,
  settings: Record<string, unknown>,
): Promise<WantedOllama[]> {
  const nested = settings.chat as Record<string, unknown> | undefined
  if (nested && typeof nested.backend === 'string') {
    const { backend: name, ...inner } = nested
    const chats: BackendFamily<unknown> = await roles.planner()
    return servedModels(role, await chats.load(name as string), inner)
  }
  if (!backend.server?.fetches || typeof settings.model !== 'string') return []
  const url = typeof settings.url === 'string' ? settings.url : undefined
  return [{ kind: 'ollama', name: settings.model, url, roles: [role] }]
}
