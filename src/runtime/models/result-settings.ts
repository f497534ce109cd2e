import { type Backend, backendVersion, type Host, resolvedSettings } from '../../core/backend.ts'
import { isObject, stableJson } from '../../core/json.ts'

// Settings that say how a result is fetched or how fast, never which result: where a server is and with which key, patience,
// the device, how much goes side by side, where a package lies. They are no part of a stage's key, so that moving a server redoes nothing.
const localSettings =
  'url apiKeyEnv fromEnvironment limits keepAlive stream device threads batch atOnce workers packageFolder'.split(' ')

// What changes the results of a backend, with its defaults filled in; also in a chat model that it holds inside.
export async function resultSettings(settings: unknown, host: Pick<Host, 'environment'>): Promise<unknown> {
  if (!isObject(settings)) return settings
  const entries = Object.entries(settings).filter(([name]) => !localSettings.includes(name))
  return Object.fromEntries(
    await Promise.all(
      entries.map(async ([name, value]) => [name, name === 'chat' ? await nested(value, host) : value]),
    ),
  )
}

// A backend with the settings of a machine taken out, which mean nothing on another one and may not come from there.
export function stripLocalSettings<Choice extends Record<string, unknown>>(choice: Choice): Choice {
  const entries = Object.entries(choice).filter(([name]) => !localSettings.includes(name))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isObject(value) && name === 'chat' ? stripLocalSettings(value) : value]),
  ) as Choice
}

// The same with those of this machine, from its own choice of that backend.
export function addLocalSettings<Choice extends Record<string, unknown>>(choice: Choice, own: unknown): Choice {
  if (!isObject(own) || own.backend !== choice.backend) return choice
  const ours = Object.entries(own).filter(([name]) => localSettings.includes(name))
  const chat = isObject(choice.chat) ? { chat: addLocalSettings(choice.chat, own.chat) } : {}
  return { ...choice, ...chat, ...Object.fromEntries(ours) }
}

const codeSettings = ['module', 'export', 'settings'] // of a LangChain model: which code runs, and where it leads

// Whether a choice of another machine is the backend of this machine's own choice, by the same code; also in the chat model inside.
export function isAsHere(choice: Record<string, unknown>, own: unknown): boolean {
  if (!isObject(own) || own.backend !== choice.backend) return false
  const isSame = (name: string) => stableJson(choice[name]) === stableJson(own[name])
  return codeSettings.every(isSame) && (!isObject(choice.chat) || isAsHere(choice.chat, own.chat))
}

async function nested(setting: unknown, host: Pick<Host, 'environment'>): Promise<unknown> {
  if (!isObject(setting) || typeof setting.backend !== 'string') return setting
  const { backend: name, ...rest } = setting
  const { chatModels } = await import('../../../models/chat/index.ts')
  const backend = (await chatModels.load(name as string)) as Backend<unknown>
  const parsed = await resolvedSettings('chat', name as string, backend, rest, host)
  return { backend: name, version: backendVersion(backend, parsed), settings: await resultSettings(parsed, host) }
}
