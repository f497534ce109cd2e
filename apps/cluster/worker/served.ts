import type { Config } from '../../../src/config/schema.ts'
import type { Host } from '../../../src/core/backend.ts'
import type { Role } from '../../../src/core/services.ts'
import { stageNamed } from '../../../src/core/words/stage-names.ts'
import { FrozenIndex, readyHere, servesHere, stageRanks } from '../../../src/runtime/index/frozen-index.ts'
import { allNeeds, type StageNeed } from '../data/catalogue/videos.ts'
import type { Resource } from '../data/job.ts'
import type { Sql } from '../data/sql.ts'
import { stageRank } from '../jobs/plan-video.ts'

export type Slots = Readonly<Record<Resource, number>>

// The queues of each sort of slot, those that go first first; and those that nobody here serves, with the reason.
export interface ServedJobs {
  queues: Record<Resource, string[]>
  not: { queue: string; why: string }[]
}

interface Serving {
  own: Config
  host: Host
  slots: Slots
  only?: readonly string[] // stages, or one of `otherWork`
  others(need: StageNeed): Promise<string | true> // queues of another kind than stages
}

// What this machine can serve depends on models and programs that may come while it runs: they are looked at again each minute.
export function servedQueues(database: Sql, { own, host, slots, only, others }: Serving) {
  const looked = new Map<string, { at: number; frozen: FrozenIndex; ready: Partial<Record<Role, string | true>> }>()

  const configs = async () => {
    const { rows } = await database.query<{ hash: string; json: unknown }>(
      `select hash, json from longtake.config where hash in (
         select config from longtake.request where state = 'open' or created > now() - interval '1 day')`,
    )
    const frozenConfigs = []
    for (const { hash, json } of rows) {
      const before = looked.get(hash)
      const isFresh = before && performance.now() - before.at < 60_000
      const frozen = FrozenIndex.safeParse(before?.frozen ?? json).data
      if (!frozen) continue // of another kind, or of a version that this one does not know
      const now = isFresh ? before : { at: performance.now(), frozen, ready: await readyHere(frozen, own.models, host) }
      looked.set(hash, now)
      frozenConfigs.push(now)
    }
    return frozenConfigs
  }

  const whyNot = async (
    need: StageNeed,
    known: Awaited<ReturnType<typeof configs>>,
  ): Promise<string | true | undefined> => {
    if (only && !only.some(name => stageNamed(name) === need.stage)) return `--only ${only.join(',')}`
    if (!slotFor(need.resource, slots)) return `no slot for ${need.resource} (--slots)`
    return otherWork.includes(need.stage) ? others(need) : servesHere(need, known)
  }

  return async (): Promise<ServedJobs> => {
    const needs = await allNeeds(database)
    const currentConfigs = await configs()
    const ranks = await stageRanks(stageRank)
    const served: ServedJobs = { queues: { cpu: [], gpu: [], net: [] }, not: [] }
    const rank = ({ stage }: StageNeed) => ranks.get(stage) ?? 0
    for (const need of needs.sort((a, b) => rank(b) - rank(a))) {
      const why = await whyNot(need, currentConfigs)
      const slot = slotFor(need.resource, slots)
      if (why === true && slot) served.queues[slot].push(need.queue)
      else if (why !== undefined) served.not.push({ queue: need.queue, why: String(why) })
    }
    return served
  }
}

const otherWork = ['ask', 'make', 'library']

// What a card would make is made by the processor of a machine without one.
function slotFor(resource: Resource, slots: Slots): Resource | undefined {
  if (slots[resource] > 0) return resource
  return resource === 'gpu' && slots.cpu > 0 ? 'cpu' : undefined
}
