import { z } from 'zod'
import { loadStages } from '../../../tools/stages/index.ts'
import { gaveCues } from '../../../tools/stages/results.ts'
import { roleNames } from '../../config/profiles.ts'
import { Config } from '../../config/schema.ts'
import type { Host } from '../../core/backend.ts'
import { BackendError, UsageError } from '../../core/errors.ts'
import { isObject, stableJson } from '../../core/json.ts'
import { isBuilt } from '../../core/machine/native-packages.ts'
import type { Role } from '../../core/services.ts'
import { type IndexSettings, removedRoles } from '../../core/settings.ts'
import type { Stage, StageInput, StageMeta } from '../../core/stage.ts'
import { Video } from '../../core/video.ts'
import { stageNamed } from '../../core/words/stage-names.ts'
import { Models } from '../models/models.ts'
import { addLocalSettings, isAsHere, stripLocalSettings } from '../models/result-settings.ts'
import { checkNames, loadChoice, type RoleChoice, type RoleChoices } from '../models/role-families.ts'
import { capabilityHere, type Planned, planStages } from './plan-stages.ts'

const roleName = z.enum(roleNames as [Role, ...Role[]])

const Chosen = z.strictObject({
  by: z.string(),
  settings: z.unknown(), // those that change its results
  version: z.string(),
  purposes: z.array(z.string()).readonly().optional(),
  runs: z.enum(['cpu', 'gpu', 'net']), // on which part of a machine
})

// A job that an older release began may name roles that were removed.
function byRole<Value extends z.ZodType>(value: Value) {
  const withoutOld = (given: unknown) =>
    isObject(given)
      ? Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(removedRoles, name)))
      : given
  return z.preprocess(withoutOld, z.partialRecord(roleName, value))
}

// What an index is made with, so that every machine that plans it comes to the same keys: settings and backends as the machine that asked
// for it has resolved them. Addresses, keys of servers, devices and folders are not in it; each machine has its own.
export const FrozenIndex = z.strictObject({
  index: Config.shape.index,
  models: byRole(z.looseObject({ backend: z.string() })),
  chosen: byRole(Chosen),
})
export type FrozenIndex = z.infer<typeof FrozenIndex>

// A video as other machines have to know it: what is in it, and the hashes of the files beside it that stages read.
export const FrozenVideo = z.strictObject({
  video: Video,
  files: z.record(z.string(), z.record(z.string(), z.string())),
})
export type FrozenVideo = z.infer<typeof FrozenVideo>

// As it was written down; a video whose results were found again knows of no files beside it.
export function frozenVideo(written: unknown): FrozenVideo {
  const { data: frozen } = FrozenVideo.safeParse(written)
  if (frozen) return frozen
  const { data: video } = Video.safeParse(written)
  if (video) return { video, files: {} }
  throw new BackendError('What the cluster knows of a video is not what this longtake reads.', {
    hint: 'Another version wrote it, or somebody else: index the file again with --queue once its row in longtake.video is removed.',
  })
}

// The roles of the stages, where no others are named.
export async function freezeIndex(
  settings: Pick<Config, 'index' | 'models'>,
  host: Host,
  roles?: readonly Role[],
): Promise<FrozenIndex> {
  const models = new Models(settings.models, host)
  const frozen: FrozenIndex = { index: settings.index, models: {}, chosen: {} }
  for (const role of roles ?? (await stageRoles(settings.index, models))) {
    if (models.isOff(role)) continue
    const { backend, settings } = await loadChoice(role, models.choice(role), host)
    frozen.models[role] = stripLocalSettings(models.choice(role))
    frozen.chosen[role] = { ...(await models.chosen(role)), runs: runsOn(backend.reaches, settings) }
  }
  return frozen
}

export async function freezeVideo(video: Video, frozen: FrozenIndex): Promise<FrozenVideo> {
  const files: FrozenVideo['files'] = {}
  const stageInput = { video, settings: frozen.index, subtitled: false, replaced: () => false } satisfies StageInput
  for (const stage of await loadStages()) if (stage.files) files[stage.name] = await stage.files(stageInput)
  return { video, files }
}

// The plan of every stage; two where it is not known yet whether subtitles give the words. `subtitles` is asked for the result of that
// stage: its meta file where it is there.
export async function planFrozen(
  { video, files }: FrozenVideo,
  { index, chosen }: FrozenIndex,
  subtitles: (stage: string, key: string) => Pick<StageMeta, 'files'> | undefined,
  models: Pick<Models, 'isOff' | 'chosen'> = {
    isOff: role => chosen[role] === undefined,
    chosen: async role => chosen[role] ?? Promise.reject(new Error(`The role ${role} is off.`)),
  },
): Promise<Planned[][]> {
  const plan = (subtitled: boolean) => planStages(video, models, index, subtitled, {}, files)
  const without = await plan(false)
  const cues = without.find(({ stage }) => stage === 'subtitles')
  if (cues?.skip !== undefined || !cues) return [without]
  const madeSubtitles = subtitles(cues.stage, cues.key)
  if (!madeSubtitles) return [without, await plan(true)]
  return [gaveCues(madeSubtitles) ? await plan(true) : without]
}

// The same backends with what belongs to this machine: a job never decides which server is asked, nor which code runs. `careful`: as little side by side as they can, for what has crashed before.
export async function modelsHere(
  frozen: Pick<FrozenIndex, 'models'>,
  own: Config['models'],
  host: Host,
  careful = false,
  prices: Config['prices'] = {},
): Promise<Models> {
  const choices: RoleChoices = {}
  for (const [role, choice] of Object.entries(frozen.models) as [Role, RoleChoice][]) {
    const why = await whyNotHere(role, choice, own)
    if (why !== undefined) throw new UsageError(`${why}.`)
    const mine = addLocalSettings(stripLocalSettings(choice), own[role])
    choices[role] = careful ? await halved(role, mine, host) : mine
  }
  return new Models(choices, host, undefined, prices)
}

// Why a choice of another machine may not be opened here.
export async function whyNotHere(role: Role, choice: RoleChoice, own: Config['models']): Promise<string | undefined> {
  const { backend } = await checkNames(role, choice)
  if (backend.reaches !== 'network' || isAsHere(choice, own[role])) return undefined
  return `models.${role} is not ${choice.backend} in the settings here, or with other code`
}

async function halved(role: Role, choice: RoleChoice, host: Host): Promise<RoleChoice> {
  const { settings } = await loadChoice(role, choice, host)
  const { batch } = settings as { batch?: unknown }
  return typeof batch === 'number' && batch > 1 ? { ...choice, batch: Math.floor(batch / 2) } : choice
}

// The backends of stages that are ready here as they were chosen there: by role, with what keeps the others from it.
export async function readyHere(
  frozen: Pick<FrozenIndex, 'models' | 'chosen'>,
  own: Config['models'],
  host: Host,
): Promise<Partial<Record<Role, string | true>>> {
  const readiness: Partial<Record<Role, string | true>> = {}
  for (const [role, chosen] of Object.entries(frozen.chosen) as [Role, z.infer<typeof Chosen>][]) {
    const choice = frozen.models[role]
    readiness[role] = await modelsHere({ models: choice ? { [role]: choice } : {} }, own, host)
      .then(models => whyNotReady(role, chosen, models, host))
      .catch(error => String(error.message ?? error))
  }
  return readiness
}

async function whyNotReady(
  role: Role,
  chosen: z.infer<typeof Chosen>,
  models: Models,
  host: Host,
): Promise<string | true> {
  const { backend, settings } = await loadChoice(role, models.choice(role), host)
  const { runs: _, ...wanted } = chosen
  const here = await models.chosen(role)
  if (stableJson(here) !== stableJson(wanted)) return `${chosen.by} is here in another version, or with other files`
  for (const need of backend.needs?.(settings) ?? [])
    if (!(await need.met(host))) return `needs ${need.name}: ${need.mend}`
  return true
}

function runsOn(reaches: 'network' | undefined, settings: unknown): 'cpu' | 'gpu' | 'net' {
  if (reaches === 'network') return 'net'
  return typeof settings === 'object' && settings !== null && 'device' in settings ? 'gpu' : 'cpu'
}

// Whether this code makes a stage just as a queue wants it; else why not. Undefined: nothing that is wanted now comes through it.
export async function servesHere(
  need: { stage: string; backend: string; version: string },
  configs: readonly { frozen: FrozenIndex; ready: Partial<Record<Role, string | true>> }[],
): Promise<string | true | undefined> {
  const stage = (await loadStages()).find(({ name }) => name === stageNamed(need.stage))
  if (!stage) return `this longtake has no stage "${need.stage}"`
  if (need.version === capabilityHere(stage))
    return need.backend !== 'vectors/hnsw' || isBuilt('hnswlib-node') || 'the package hnswlib-node is not installed'
  const { role } = stage
  const otherVersion = `${need.backend} is here in another version`
  if (!role) return otherVersion
  const wanting = configs.filter(({ frozen }) => frozen.chosen[role]?.by === need.backend)
  if (wanting.length === 0) return undefined
  const capabilities = wanting.map(({ frozen, ready }) =>
    capabilityHere(stage, frozen.chosen[role]) === need.version ? (ready[role] ?? otherVersion) : otherVersion,
  )
  return capabilities.includes(true) || capabilities[0]
}

export async function stageRanks(rank: (stage: Stage) => number): Promise<Map<string, number>> {
  return new Map((await loadStages()).map(stage => [stage.name, rank(stage)]))
}

async function stageRoles(settings: IndexSettings, models: Pick<Models, 'isOff'>): Promise<Role[]> {
  const wantedInput = { settings, isOff: (role: Role) => models.isOff(role), makes: () => true }
  return (await loadStages()).flatMap(({ role, wanted }) => (role && wanted?.(wantedInput) !== false ? role : []))
}
