import { homedir } from 'node:os'
import { join } from 'node:path'
import { hostUrl } from '../../../models/http/ollama.ts'
import { keyVariable } from '../../../models/http/presets.ts'
import type { HubClient } from '../../../models/hub/hub-client.ts'
import { type RoleSettings, type TierName, tierRoles, tiers } from '../../config/tiers.ts'
import type { Tree } from '../../config/tree.ts'
import type { BackendFamily, Host } from '../../core/backend.ts'
import { isThisMachine } from '../../core/basics/address.ts'
import { errorText, LongtakeError, StorageError, UsageError } from '../../core/errors.ts'
import type { Role } from '../../core/services.ts'
import { findProgram } from '../../media/program/find-program.ts'
import { freeSpace } from '../../store/free-space.ts'
import { type ModelWord, parseModelWord } from '../models/choose/model-word.ts'
import { type PullPlan, planPull } from '../models/manager/pull.ts'
import { inspectModel, resolveCache } from '../models/manager/state.ts'
import { type ModelWish, type WantedOllama, wantedModels } from '../models/manager/wanted-models.ts'
import { roles } from '../models/role-families.ts'
import type { Machine } from './machine.ts'
import { isUsers } from './own-settings.ts'

// Files of models from elsewhere than the hub.
export { folderHub } from '../../../models/hub/folder-hub.ts'
export type FileSource = HubClient

// What the user chose: a tier, a word as --model takes it, or both. "embedded" needs nothing.
export interface SetupChoice {
  tier?: TierName | 'embedded'
  model?: string
}

// One model of what was chosen.
export interface SetupStep {
  name: string // as the hub, Ollama or the server calls it
  what: string
  roles: string[]
  state: 'here' | 'to fetch' | 'cannot' // cannot: not now, see `why`
  bytes: number // still to fetch
  isExact: boolean // as the hub states it, and not as the table of tiers has it
  hosted?: true // on another machine, behind a key
  why?: string
  fix?: string
  pull?: PullPlan
}

export interface SetupPlan {
  choice: SetupChoice
  steps: SetupStep[]
  roles: Partial<Record<Role, RoleSettings>> // that are to be set, but for those of the user's own
  kept: Role[] // that the user has set otherwise
  leaves: string // what leaves this machine
}

export const chatRoles: readonly Role[] = ['planner', 'writer', 'verifier', 'vision', 'judge']

interface SetupPlace {
  machine: Machine
  content: Tree
  home: string
  host: Host
  source?: HubClient // in place of the hub
}

export async function planSetup(
  choice: SetupChoice,
  { machine, content, home, host, source }: SetupPlace,
): Promise<SetupPlan> {
  const word = choice.model === undefined ? undefined : parseModelWord(choice.model, host.environment)
  if (word) refuseWithoutKey(word, host)
  const tier = choice.tier === 'embedded' ? undefined : choice.tier
  const ofTier = Object.entries(tier ? tierRoles(tier) : {}) as [Role, RoleSettings][]
  const open = ofTier.filter(([role]) => !word || !chatRoles.includes(role))
  const roles = Object.fromEntries(open.filter(([role]) => !isUsers(content, role)))
  const keptRoles = open.flatMap(([role]) => (isUsers(content, role) ? [role] : []))
  const steps: SetupStep[] = word ? [await wordStep(word, machine, host)] : []
  // What the user has set is not replaced, but its files are fetched too.
  const userModels = (content.models ?? {}) as Partial<Record<Role, RoleSettings>>
  const models = await wantedModels(
    { ...roles, ...Object.fromEntries(keptRoles.map(role => [role, userModels[role]])) },
    host,
  )
  const findTier = (model: ModelWish) => (model.roles.some(role => role in roles) ? tier : undefined)
  steps.push(
    ...(await Promise.all(models.map(model => modelStep(model, findTier(model), machine, home, host, source)))),
  )
  // A model of several repositories, as OCR is, goes by their names.
  const named = steps.map(step => {
    const isOne = steps.every(other => other === step || other.what !== step.what)
    return isOne ? step : { ...step, what: step.name.split('/').at(-1) ?? step.name }
  })
  return { choice, steps: named, roles, kept: keptRoles, leaves: whatLeaves(word, steps, machine, host, source) }
}

// A hosted model is useless without its key; what a tier needs can still be fetched later.
function refuseWithoutKey({ preset, word }: ModelWord, { environment }: Host): void {
  if (preset.local || keyVariable(preset, environment)) return
  throw new UsageError(
    `--model ${word} needs a key of ${preset.title}, and ${preset.keyEnv.join(' or ')} is not set.`,
    {
      hint: `Set it in your shell, as export ${preset.keyEnv[0]}=..., and run longtake setup again.`,
    },
  )
}

async function modelStep(
  model: ModelWish,
  tier: TierName | undefined,
  machine: Machine,
  home: string,
  host: Host,
  source?: HubClient,
): Promise<SetupStep> {
  const table = tier && tiers[tier].models[model.roles[0] as Role]
  const guess = Math.round((table?.download ?? 0) * 1e9)
  const step = { name: model.name, what: table?.what ?? model.name, roles: model.roles, bytes: 0, isExact: true }
  const { state, note = '' } = await inspectModel(model, host)
  if (state === 'ready') return { ...step, state: 'here' }
  const guessed = { ...step, bytes: guess, isExact: false }
  const cannot = (why: string, fix: string): SetupStep => ({ ...guessed, state: 'cannot', why, fix })
  if (model.kind !== 'hub') {
    if (state === 'unknown') return cannot(note, await startOllama())
    return { ...guessed, state: 'to fetch', pull: { model, files: [], bytes: guess } }
  }
  if (machine.hub.fault && !source) return cannot(machine.hub.fault, hubFix)
  try {
    const [pull] = await planPull([model], { home, host, source, update: false, onProgress() {} })
    return { ...step, state: 'to fetch', bytes: pull?.bytes ?? 0, pull }
  } catch (error) {
    host.signal.throwIfAborted()
    return cannot(errorText(error).replace(/\.$/, ''), (error instanceof LongtakeError && error.hint) || hubFix)
  }
}

export const hubFix =
  'Check the network or the proxy, or name a mirror with HF_ENDPOINT; then run longtake setup again.'

async function startOllama(): Promise<string> {
  const start = (await findProgram('ollama'))
    ? 'Start it with "ollama serve"'
    : 'Install Ollama from https://ollama.com/download'
  return `${start}, and run longtake setup again.`
}

// The model of --model: Ollama fetches it; any other server must have it.
async function wordStep({ preset, url, model, word }: ModelWord, machine: Machine, host: Host): Promise<SetupStep> {
  const chats: BackendFamily<unknown> = await roles.planner()
  const { server } = await chats.load(preset.backend)
  const step = {
    name: model ?? word,
    what: `${preset.title}${model ? ` ${model}` : ''}`,
    roles: [...chatRoles],
    bytes: 0,
    isExact: true,
  }
  if (!preset.local) return { ...step, state: 'here', hosted: true }
  if (server?.fetches && model !== undefined) {
    const ollamaModel: WantedOllama = { kind: 'ollama', name: model, url, roles: [...chatRoles] }
    return { ...(await modelStep(ollamaModel, undefined, machine, '', host)), what: model }
  }
  const foundServer = machine.servers.find(one => one.preset === preset || one.url.startsWith(url))
  if (foundServer && (model === undefined || foundServer.models.some(({ name }) => name === model)))
    return { ...step, state: 'here' }
  const cannot = (why: string, fix: string): SetupStep => ({ ...step, state: 'cannot', why, fix })
  if (foundServer) {
    const names = foundServer.models.map(({ name }) => name).join(', ') || 'no models'
    return cannot(`${preset.title} at ${foundServer.url} does not have ${model}`, `It has ${names}.`)
  }
  const isHere = await server?.models({ url, model: model ?? '' }, host).then(
    () => true,
    () => false,
  )
  if (isHere) return { ...step, state: 'here' }
  const start = preset.start ? ` with "${preset.start}"` : ''
  return cannot(`${preset.title} at ${url} does not answer`, `Start it${start}, and run longtake setup again.`)
}

function whatLeaves(
  word: ModelWord | undefined,
  steps: readonly SetupStep[],
  { hub }: Machine,
  host: Host,
  source?: HubClient,
): string {
  const asksOllama = steps.some(({ pull }) => pull && pull.model.kind !== 'hub')
  const server = word?.url ?? (asksOllama ? hostUrl(host.environment.OLLAMA_HOST) : undefined)
  if (source && !asksOllama && !word) return 'nothing'
  if (!server || isThisMachine(new URL(server).hostname))
    return `nothing but requests for files, to ${new URL(hub.address).host} and ollama.com`
  const price = word?.preset.local === false ? ', at its price' : ''
  return `questions, words and frames, to ${new URL(server).host}${price}`
}

// A machine that was not looked at, to find whether anything is lacking at all.
export const unseen: Machine = {
  cores: 0,
  memory: 0,
  cards: [],
  disk: { folder: '', free: 0 },
  servers: [],
  keys: [],
  hub: { address: 'https://huggingface.co', fault: 'it was not asked' },
}

// What is lacking on the disks that the models go to; undefined if there is room.
export async function diskFault({ steps }: Pick<SetupPlan, 'steps'>, host: Host): Promise<StorageError | undefined> {
  const ollama = host.environment.OLLAMA_MODELS || join(host.environment.HOME || homedir(), '.ollama')
  const places = new Map<number, { folder: string; needed: number; free: number }>()
  for (const { pull, bytes, state } of steps) {
    if (!pull || state !== 'to fetch') continue
    const folder = pull.model.kind === 'hub' ? resolveCache(pull.model, host) : ollama
    const { disk, bytes: free } = await freeSpace(folder)
    const diskUse = places.get(disk) ?? { folder, needed: 0, free }
    places.set(disk, { ...diskUse, needed: diskUse.needed + bytes })
  }
  const full = [...places.values()].find(({ needed, free }) => needed > free)
  if (!full) return undefined
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  return new StorageError(
    `The models need ${gigabytes(full.needed)}, and the disk of ${full.folder} has ${gigabytes(full.free)} free.`,
    {
      hint: 'Free some space, choose a smaller tier, or set HF_HOME (for Ollama OLLAMA_MODELS) to a folder on another disk.',
    },
  )
}
