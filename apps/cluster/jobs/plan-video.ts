import { sha256 } from '../../../src/core/json.ts'
import type { Stage, StageOutcome } from '../../../src/core/stage.ts'
import { storedStage } from '../../../src/core/words/stage-names.ts'
import type { FrozenIndex } from '../../../src/runtime/index/frozen-index.ts'
import { type Keyed, lostStages, type Planned, withoutKey } from '../../../src/runtime/index/plan-stages.ts'
import type { StageNeed } from '../data/catalogue/videos.ts'
import type { JobData, Resource } from '../data/job.ts'

// What is known of one video: results that count, and what could not be made.
export interface KnownStages {
  finished(stage: string, key: string): boolean
  failure(stage: string, key: string): Failure | undefined
}

interface Failure {
  why: string // in one line
  leavesOut: boolean // the index goes without, where it can; else the video ends with it
}

export interface VideoPlan {
  state: 'open' | 'done' | 'failed'
  outcomes: Partial<Record<string, StageOutcome>> // of the stages that are over
  jobs: PlannedJob[] // what is missing and can be made now
  why?: string // what ended it, where it failed
}

export interface PlannedJob {
  planned: Keyed
  key: string // with the failed stages that it goes without
}

// What is missing of an index and can be made of what there is. Level-triggered: it may be asked at any time, by anyone, as often as they
// like, and who asks at the same state gets the same.
export function planVideo(plan: readonly Planned[], known: KnownStages): VideoPlan {
  const outcomes: VideoPlan['outcomes'] = {}
  const jobs: PlannedJob[] = []
  for (const planned of plan) {
    const { stage, how } = planned
    if (planned.skip !== undefined) {
      outcomes[stage] = { state: 'skipped', note: planned.skip }
      continue
    }
    if (how.after.some(source => plan.some(one => one.stage === source) && !outcomes[source])) continue
    const fallen = how.partial ? undefined : how.after.find(source => outcomes[source]?.state === 'failed')
    if (fallen) {
      outcomes[stage] = outcomes[fallen]
      continue
    }
    const key = withoutKey(planned.key, lostStages(plan, stage, outcomes))
    const failure = known.failure(stage, key)
    if (known.finished(stage, key)) outcomes[stage] = { state: 'done', key }
    else if (!failure) jobs.push({ planned, key })
    else if (how.mayFail && failure.leavesOut) outcomes[stage] = { state: 'failed', key, note: failure.why }
    else return { state: 'failed', outcomes, jobs: [], why: `${stage}: ${failure.why}` }
  }
  return { state: plan.every(({ stage }) => outcomes[stage]) ? 'done' : 'open', outcomes, jobs }
}

// Whether subtitles give the speech decides how the others are made; until that is known, only what is the same either way is planned.
export function planEitherWay(plans: readonly (readonly Planned[])[], known: KnownStages): VideoPlan {
  const [first, ...others] = plans.map(plan => planVideo(plan, known))
  if (!first) throw new Error('There is no plan to choose from.')
  if (others.length === 0) return first
  const isIn = (job: PlannedJob, { jobs }: VideoPlan) =>
    jobs.some(other => other.planned.stage === job.planned.stage && other.key === job.key)
  const failed = [first, ...others].find(({ state }) => state === 'failed')
  if (failed) return failed
  return { ...first, state: 'open', jobs: first.jobs.filter(job => others.every(other => isIn(job, other))) }
}

// The same work has the same name, whoever asks for it. `state`: what it is done to, where the same is to be done again once that has changed.
export function jobId(data: JobData, ...state: readonly string[]): string {
  return hashUuid([...jobNameParts(data), ...state].join('\n'))
}

// A hash in the form of a UUID.
export function hashUuid(text: string): string {
  const digits = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(sha256(text)) ?? []
  return digits.slice(1).join('-')
}

function jobNameParts(data: JobData): string[] {
  if (data.kind === 'stage') return [data.kind, data.video, storedStage(data.stage), data.key]
  if (data.kind === 'library') return [data.kind, data.video, 'library', data.config]
  if (data.kind === 'make') return [data.kind, data.run, 'step', data.step]
  return [data.kind, data.run, 'shard', String(data.shard)]
}

// A queue is a capability: who serves it makes this stage with this backend in this version.
export function queueName({ stage, by, capability }: Pick<Keyed, 'stage' | 'by' | 'capability'>): string {
  return `${storedStage(stage)}.${by.replace(/[^a-zA-Z0-9-]+/g, '-')}.${capability}`
}

// What a worker must have to serve the queue of a stage.
export function stageNeed({ stage, by, capability, how }: Keyed, { chosen }: FrozenIndex): StageNeed {
  const resource = (how.role && chosen[how.role]?.runs) || 'cpu'
  return { queue: queueName({ stage, by, capability }), stage, backend: by, version: capability, resource }
}

export const priorities = { low: 0, normal: 1, high: 2 } as const
export type Priority = keyof typeof priorities

// What was begun is finished first: what is made of rows > tracks > what reads the file > the library's tables.
export function stageRank({ source, role, partial }: Pick<Stage, 'source' | 'role' | 'partial'>): number {
  if (source) return 1
  return role && !partial ? 2 : 3
}

export function jobPriority(request: number, rank: number): number {
  return request * 100 + rank
}

export const slotNames: readonly Resource[] = ['cpu', 'gpu', 'net']
