import { chatModels } from '../../../../models/chat/index.ts'
import { shownUrl } from '../../../../models/http/address.ts'
import { oneTry } from '../../../../models/http/limits.ts'
import { findModelFamily } from '../../../../models/http/model-families.ts'
import { keyVariable } from '../../../../models/http/presets.ts'
import { ServerError } from '../../../../models/http/server-error.ts'
import type { Config } from '../../../config/schema.ts'
import type { Host } from '../../../core/backend.ts'
import { isThisMachine } from '../../../core/basics/address.ts'
import { BackendError, errorText, LongtakeError, nearest, UsageError } from '../../../core/errors.ts'
import { type ModelCandidate, toRoleChoice } from './fill-roles.ts'
import { listens } from './find-servers.ts'
import type { FoundServer, ServedModel } from './found-server.ts'
import { keptCapabilities } from './kept-capabilities.ts'
import { listServer } from './list-server.ts'
import type { ModelWord } from './model-word.ts'
import { canChat, rank } from './rank.ts'

export interface OpenedWord {
  text?: ModelCandidate
  sees?: ModelCandidate
  others: number // models of the server among which these were chosen; 0 if one was named
  models: ModelCandidate[] // all that the server lists, where it was asked
}

// The models of a word, or why it cannot be used: thrown at once if it was typed.
export async function tryWord(
  word: ModelWord,
  host: Host,
  server: Config['server'],
  isTyped: boolean,
): Promise<{ opened: OpenedWord; fault?: undefined } | { opened?: undefined; fault: LongtakeError }> {
  try {
    return { opened: await openWord(word, host, keyOfAddress(word, server)) }
  } catch (error) {
    if (!(error instanceof LongtakeError) || isTyped) throw error
    return { fault: error }
  }
}

// A key is for its own server: another address does not get it.
function keyOfAddress({ url }: ModelWord, server: Config['server'] = {}): string | undefined {
  const same =
    server.url === undefined || (URL.canParse(server.url) && new URL(server.url).origin === new URL(url).origin)
  return same ? server.apiKeyEnv : undefined
}

// The models that a word stands for: the one that it names, or the best of its server. Asks the server, and the model itself where
// nobody says what it can do.
async function openWord(word: ModelWord, host: Host, keyOfAddress?: string): Promise<OpenedWord> {
  const keyName = keyFor(word, host, keyOfAddress)
  const capabilities = await keptCapabilities(host)
  const named =
    word.model !== undefined && !word.preset.local ? capabilities.get(keyOf(word.url, word.model)) : undefined
  if (named && word.model !== undefined) {
    const model = { name: word.model, ...named, server: { preset: word.preset, url: word.url, keyName } }
    return { text: model, sees: named.sees ? model : undefined, others: 0, models: [] }
  }
  const server = await findServer(word, keyName, host)
  const candidates = server.models.map(model => ({ ...model, server: { ...server, keyName } }))
  const only = candidates.filter(canChat).length === 1 ? candidates.find(canChat) : undefined
  const chosen = word.model === undefined ? only : findModel(word, word.model, server, candidates)
  if (!chosen && word.model === undefined) {
    const best = rank(candidates)
    if (best.text) return { ...best, others: candidates.length - 1, models: candidates }
    throw new UsageError(`${server.preset.title} at ${shownUrl(new URL(server.url))} has no model that can chat.`, {
      hint: `It has: ${formatNames(server) || 'none'}.`,
    })
  }
  const name = chosen?.name ?? word.model ?? ''
  const base: ModelCandidate = chosen ?? { name, ...familyFacts(name), server: { ...server, keyName } }
  const model = await withTrials(base, chosen !== undefined, server, host)
  return { text: model, sees: model.sees ? model : undefined, others: 0, models: candidates }
}

const keyOf = (url: string, model: string) => `${shownUrl(new URL(url))} ${model}`

function keyFor({ preset, word, address }: ModelWord, host: Host, keyOfAddress?: string): string | undefined {
  if (address) return keyOfAddress
  const name = keyVariable(preset, host.environment)
  if (name === undefined && !preset.local)
    throw new UsageError(`--model ${word} needs a key: ${preset.keyEnv.join(' or ')} is not set.`, {
      hint: `export ${preset.keyEnv[0]}=YOUR_KEY`,
    })
  return name
}

async function findServer({ preset, url, address }: ModelWord, keyName: string | undefined, host: Host) {
  const start = preset.start ?? 'vllm serve MODEL'
  const hint = preset.local
    ? `Start it with "${start}", or name the address of the one that runs: --model http://HOST:PORT.`
    : 'Check the network, or a proxy (HTTPS_PROXY).'
  const plainUrl = shownUrl(new URL(url)) // without a password
  if (isThisMachine(new URL(url).hostname) && !(await listens(url))) {
    const who = address ? 'No server listens' : `${preset.title} does not listen`
    throw new BackendError(`${who} at ${plainUrl}.`, { hint })
  }
  const server = await listServer({ url, guess: preset, sure: !address, keyName }, host).catch(error => {
    throw error instanceof BackendError ? new BackendError(error.message, { cause: error, hint }) : error
  })
  if (!server)
    throw new UsageError(`What listens at ${plainUrl} is not a server of models.`, {
      hint: `Check the address: it mostly ends in /v1. ${hint}`,
    })
  if (server.fault)
    throw new UsageError(`${server.preset.title} at ${plainUrl}: ${server.fault}.`, {
      hint: keyName
        ? `Check the key in ${keyName}.`
        : 'Name the variable that holds its key: --set server.url=URL --set server.apiKeyEnv=NAME.',
    })
  return server
}

// The model of this name; undefined if a hosted server does not list it, which need not know every alias.
function findModel(
  { preset, url }: ModelWord,
  model: string,
  server: FoundServer,
  candidates: readonly ModelCandidate[],
): ModelCandidate | undefined {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const wantedName = model.replace(/^models\//, '')
  const match = candidates.find(
    ({ name }) => name === wantedName || same(name, wantedName) || same(name, `${wantedName}:latest`),
  )
  if (match && !canChat(match))
    throw new UsageError(`${match.name} of ${server.preset.title} cannot chat: ${whyNot(match)}.`, {
      hint: `Models that can: ${formatNames({ ...server, models: server.models.filter(canChat) }) || 'none'}.`,
    })
  if (match || !preset.local) return match
  const near = nearest(
    wantedName,
    candidates.map(({ name }) => name.replace(/:latest$/, '')),
  )
  const pull = preset.urlEnv === undefined ? '' : ` To fetch it: ollama pull ${wantedName}`
  throw new UsageError(`${server.preset.title} at ${shownUrl(new URL(url))} has no model "${model}".`, {
    hint: `${near ? `Did you mean "${near}"? ` : ''}It has: ${formatNames(server) || 'none'}.${pull}`,
  })
}

function whyNot({ embeds, transcribes }: ServedModel): string {
  return embeds ? 'it embeds' : transcribes ? 'it transcribes' : 'it is made for something else'
}

function formatNames({ models }: FoundServer): string {
  const more = models.length > 20 ? ` and ${models.length - 20} more` : ''
  return `${models
    .slice(0, 20)
    .map(({ name }) => name)
    .join(', ')}${more}`
}

function familyFacts(name: string): Partial<ServedModel> {
  const { sees, hears, callsTools, thinks } = findModelFamily(name) ?? {}
  return { sees, hears, callsTools, thinks }
}

// What nobody says is tried with two tiny requests, once; so is a name that a hosted server does not list.
async function withTrials(
  model: ModelCandidate,
  listed: boolean,
  server: FoundServer,
  host: Host,
): Promise<ModelCandidate> {
  const capabilities = await keptCapabilities(host)
  const key = model.digest ?? keyOf(server.url, model.name)
  const storedCapabilities = capabilities.get(key)
  const merged = storedCapabilities ? { ...model, ...storedCapabilities } : model
  const { name: _, server: __, digest: ___, elsewhere: ____, ...can } = merged
  if (storedCapabilities || (merged.sees !== undefined && listed)) {
    if (!storedCapabilities && !server.preset.local) capabilities.set(key, can)
    await capabilities.save()
    return merged
  }
  host.say(`${model.name}: its server does not say what it can do; it is tried once.`)
  const probed = await tryModel(merged, host).catch(error => {
    host.signal.throwIfAborted()
    if (!listed) throw unknownModel(error, model.name, server)
    host.say(`${model.name} could not be tried: ${errorText(error)}`)
  })
  if (!probed) return merged
  capabilities.set(key, { ...can, ...probed })
  await capabilities.save()
  return { ...merged, ...probed }
}

// Asks a model for a tool call and about one picture.
async function tryModel(model: ModelCandidate, host: Host): Promise<{ callsTools?: boolean; sees?: boolean }> {
  const { backend, ...settings } = toRoleChoice('planner', { ...model, sees: undefined })
  const limits = { ...oneTry(), attemptSeconds: 180 } // time to load the model is in it
  const { tryOnce } = await import('../../../../models/chat/probe/try-once.ts')
  const opened = await chatModels.open(backend, { ...settings, limits }, { ...host, say: () => {} })
  try {
    return await tryOnce(opened, host.signal)
  } finally {
    await opened.close?.()
  }
}

// A hosted server may know more names than it lists; this one it refused.
function unknownModel(error: unknown, name: string, server: FoundServer): unknown {
  if (!(error instanceof ServerError) || ![400, 404].includes(error.details.status ?? 0)) return error
  const chat = { ...server, models: server.models.filter(canChat) }
  const near = nearest(
    name,
    chat.models.map(model => model.name),
  )
  return new UsageError(`${server.preset.title} has no model "${name}".`, {
    cause: error,
    hint: `${near ? `Did you mean "${near}"? ` : ''}It has: ${formatNames(chat) || 'none'}.`,
  })
}
