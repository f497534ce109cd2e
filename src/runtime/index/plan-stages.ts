import { loadStages } from '../../../tools/stages/index.ts'
import subtitles from '../../../tools/stages/subtitles.ts'
import type { Evidence } from '../../core/evidence.ts'
import { contentHash } from '../../core/json.ts'
import type { Role } from '../../core/services.ts'
import type { IndexSettings } from '../../core/settings.ts'
import { everyRow, type Stage, type StageInput, type StageOutcome } from '../../core/stage.ts'
import type { Still, Video } from '../../core/video.ts'
import type { Trust } from '../../media/file/file-look.ts'
import { stageKey } from '../../store/stage/stage.ts'
import type { Models } from '../models/models.ts'

export function chooseTrust({ trustMtime }: Pick<IndexSettings, 'trustMtime'>): Trust {
  return trustMtime ? 'mtime' : 'all'
}

// What the settings say of files: which are taken as known, and how long they may last.
export function filePolicy(settings: IndexSettings): { trust: Trust; maxHours: number } {
  return { trust: chooseTrust(settings), maxHours: settings.maxHours }
}

// A stage that is going to run, or the reason why it is not. `how`: the stage as it is made here. `change`: its rows as an ablation changes
// them, which are a second result of the stage, made from the first.
export type Planned = { stage: string; how: Stage; change?: RowsChange } & (
  | {
      key: string
      by: string
      settings: unknown
      inputs: Record<string, string>
      version: string // of the code of the stage and of its backend
      capability: string // a hash of what can make it: the code of the stage, its backend and the backend's settings
      skip?: undefined
    }
  | { skip: string }
)

type Choices = Pick<Models, 'isOff' | 'chosen'>

// Every stage with its key, from the video and the configuration only: nothing is run or opened to know it.
// `subtitled`: cues were found, so that the speech comes from them.
export async function planStages(
  video: Video,
  models: Choices,
  settings: IndexSettings,
  subtitled: boolean,
  changes: StageChanges = {},
  files?: StageInput['files'],
): Promise<Planned[]> {
  const stageInput = { ...buildStageInput(video, settings, subtitled, changes), files }
  const plan: Planned[] = []
  const isOff = (role: Role) => models.isOff(role)
  const makes = (stage: string) => readKey(findPlanned(plan, stage)) !== 'none'
  for (const stage of await loadStages()) {
    if (stage.wanted?.({ settings, isOff, makes }) === false) continue
    const planned = await planStage(stage, stageInput, models, plan)
    plan.push(planned)
    const change = selectChange(changes, stage.name)
    if (change && (planned.skip === undefined || change.needs === 'nothing'))
      plan.push(changedRows(planned, change, video))
  }
  return plan
}

// The one that the plan of the others depends on.
export function planSubtitles(
  video: Video,
  models: Choices,
  settings: IndexSettings,
  files?: StageInput['files'],
): Promise<Planned> {
  return planStage(subtitles, { ...buildStageInput(video, settings, false, {}), files }, models, [])
}

// The stage's result as those that read it see it.
export function findPlanned(plan: readonly Planned[], stage: string): Planned | undefined {
  return plan.findLast(planned => planned.stage === stage)
}

// The failed stages that one which is made of what there is rests on: those that it reads, and in turn what these were made without, with
// whatever else fell with that.
export function lostStages(
  plan: readonly Planned[],
  stage: string,
  outcomes: Partial<Record<string, StageOutcome>>,
): string[] {
  const how = findPlanned(plan, stage)?.how
  if (!how?.partial) return []
  const failed = how.after.filter(source => outcomes[source]?.state === 'failed')
  const further = how.after.flatMap(source => lostStages(plan, source, outcomes))
  const fallen = plan.filter(
    one => !one.how.partial && !isUnknown(one) && one.how.after.some(source => further.includes(source)),
  )
  return [...new Set([...failed, ...further, ...fallen.map(planned => planned.stage)])]
}

// What was made without a failed stage must not be mistaken for the whole: it gets a key of its own.
export function withoutKey(key: string, without: readonly string[]): string {
  return without.length > 0 ? `${key}-without-${[...without].sort().join('-')}` : key
}

async function planStage(
  stage: Stage,
  given: StageInput,
  models: Choices,
  before: readonly Planned[],
): Promise<Planned> {
  const different = { ...stage, ...stage.instead?.(given) }
  // Rows that it writes anew are none that it reads.
  const every = rowStages(before).filter(name => name !== stage.replaces)
  const after = different.after.flatMap(name => (name === everyRow ? every : [name]))
  const how: Stage = { ...different, after }
  const { name, role, track, version, partial } = how
  const sources = after.map(source => ({ source, planned: findPlanned(before, source) }))
  const skip =
    how.skip?.(given) ||
    (track && !given.settings.tracks[track] && `index.tracks.${track} is off`) ||
    given.replaced(name) ||
    (!partial && sources.find(({ planned }) => planned?.skip !== undefined)?.planned?.skip) ||
    (role && models.isOff(role) && `models.${role} is off`)
  if (skip) return { stage: name, how, skip }
  const chosen = role && (await models.chosen(role))
  const unfit = chosen && unfitFor(how, chosen)
  if (unfit !== undefined) return { stage: name, how, skip: unfit }
  const inputs = {
    ...Object.fromEntries(sources.map(({ source, planned }) => [source, readKey(planned)])),
    ...(given.files?.[name] ?? (await how.files?.(given))),
  }
  const settings = { ...how.settings?.(given), ...(chosen && { backend: chosen.settings }) }
  const by = chosen?.by ?? how.by ?? name
  return keyed({ stage: name, how, by, settings, inputs }, given.video, `${version} ${chosen?.version ?? ''}`, chosen)
}

function changedRows(planned: Planned, change: RowsChange, video: Video): Planned {
  const { stage, how } = planned
  const inputs: Record<string, string> = change.needs === 'rows' ? { rows: readKey(planned) } : {}
  return keyed(
    { stage, how, change, by: change.by, settings: change.settings(video), inputs },
    video,
    `${how.version} `,
  )
}

export type Keyed = Extract<Planned, { key: string }>

function keyed(
  { how, change, ...planned }: Omit<Keyed, 'key' | 'version' | 'capability'>,
  video: Video,
  version: string,
  chosen?: { settings: unknown },
): Keyed {
  return {
    ...planned,
    how,
    change,
    version,
    capability: hashCapability(version, chosen),
    key: stageKey({ ...planned, video: video.id, version }),
  }
}

function hashCapability(version: string, chosen?: { settings: unknown }): string {
  return contentHash({ version, settings: chosen?.settings }).slice(0, 8)
}

// Why the stage cannot ask what its role is filled with; undefined if it can.
export function unfitFor({ asks, role }: Stage, chosen: Awaited<ReturnType<Choices['chosen']>>): string | undefined {
  const { by, purposes } = chosen
  return asks && purposes && !purposes.includes(asks) ? `models.${role} (${by}) must be a language model` : undefined
}

// Of a stage as it is written here, made by this backend.
export function capabilityHere({ version }: Stage, chosen?: { settings: unknown; version: string }): string {
  return hashCapability(`${version} ${chosen?.version ?? ''}`, chosen)
}

// Keys know nothing of a stage that writes rows of another anew, or that is made only where it is wanted, where it is left out: indexes
// made before it existed stay whole.
function isUnknown({ how, skip }: Planned): boolean {
  return (how.replaces !== undefined || how.wanted !== undefined) && skip !== undefined
}

function rowStages(before: readonly Planned[]): string[] {
  return [...new Set(before.filter(one => one.how.rows && !isUnknown(one)).map(({ stage }) => stage))]
}

function readKey(planned: Planned | undefined): string {
  return planned?.skip === undefined ? (planned?.key ?? 'none') : 'none'
}

function buildStageInput(video: Video, settings: IndexSettings, subtitled: boolean, changes: StageChanges): StageInput {
  return {
    ...{ video, settings, subtitled, chosenStills: changes.stills?.settings },
    replaced(stage) {
      const change = selectChange(changes, stage)
      return change?.needs === 'nothing' && `${change.by} stands in for it`
    },
  }
}

function selectChange({ speech, text }: StageChanges, stage: string): RowsChange | undefined {
  return stage === 'speech' ? speech : stage === 'text' ? text : undefined
}

// What an ablation changes of an index on its way from one stage to the next. The settings enter the keys, so that only what
// depends on the change is made again: a transcript with planted errors needs no second transcription.
export interface StageChanges {
  speech?: RowsChange
  text?: RowsChange
  stills?: { settings: unknown; keep(still: Still): boolean } // which of the kept frames there are
}

// Rows of a track that are changed, or put in place of what a backend would find.
export interface RowsChange {
  by: string // "fault/asr"
  needs: 'rows' | 'nothing' // the track's own rows, or nothing: then its stages do not run
  settings(video: Video): unknown
  rows(video: Video, before: Evidence[]): Promise<Evidence[]> | Evidence[]
}
