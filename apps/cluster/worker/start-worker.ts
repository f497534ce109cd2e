import { readdirSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import type { Config } from '../../../src/config/schema.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { megabytesIn } from '../../../src/core/machine/memory.ts'
import { servesQuestions } from '../bench/answering-spec.ts'
import { addNeeds } from '../data/catalogue/videos.ts'
import type { Resource } from '../data/job.ts'
import { libraryNeed } from '../jobs/after-index.ts'
import { slotNames } from '../jobs/plan-video.ts'
import { servesMakings } from '../make/frozen-making.ts'
import { startCounters } from '../observe/counters.ts'
import { metricsAddress, serveMetrics } from '../observe/serve-metrics.ts'
import type { Cluster } from '../open-cluster.ts'
import type { Slots } from './served.ts'
import { openSlot } from './slot.ts'
import { superviseWorker, type WorkerOptions } from './supervisor.ts'
import { waitForDatabase } from './wait-for-database.ts'

interface StartOptions extends Pick<WorkerOptions, 'host' | 'version' | 'only' | 'ending' | 'output'> {
  cluster: Cluster
  settings: Config // with the models that were chosen here
  home: string
  environment: Readonly<Record<string, string | undefined>>
  slots?: string // "cpu=2,gpu=1,net=8"
  metrics?: string
}

// The worker of this machine, with a process for each of its slots.
export async function startWorker(options: StartOptions): Promise<void> {
  const { settings, environment, home } = options
  const { say } = options.output
  const { database, engine } = options.cluster
  const slots = options.slots === undefined ? slotsHere(environment) : parseSlots(options.slots)
  const counters = startCounters()
  const metrics = options.metrics
    ? await serveMetrics({ sql: database, engine, counters }, metricsAddress(options.metrics))
    : undefined
  if (metrics) say(`Metrics: ${metrics.url}`)
  const cards = listCards(environment)
  const heavy = Math.max(1, slots.cpu + slots.gpu) // what is asked of a server takes little here
  const { memory } = settings.limits
  const maxMegabytes = ((memory === undefined ? undefined : megabytesIn(memory)) ?? (totalmem() / 1e6) * 0.8) / heavy
  const offer = () => addNeeds(database, [libraryNeed]).then(() => engine.queue(libraryNeed.queue))
  try {
    await waitForDatabase(offer, { say, signal: options.ending.drain })
    await superviseWorker({
      ...options,
      cluster: { database, engine, heartbeat: settings.cluster.heartbeat },
      own: settings,
      slots,
      others: async need => {
        if (need.queue === libraryNeed.queue) return true
        const serves = need.stage === 'make' ? servesMakings : servesQuestions
        return serves(database, need, { own: settings, host: options.host })
      },
      openSlot: (resource, nth) =>
        openSlot({
          home,
          settings,
          maxMegabytes,
          say,
          count: counters.count,
          environment: resource === 'gpu' ? { ...environment, CUDA_VISIBLE_DEVICES: cards[nth] } : environment,
        }),
    })
  } finally {
    await metrics?.close()
  }
}

// What a machine takes side by side, where nobody says it: a decoder or recogniser keeps some four cores busy, one model a card, and a
// call over the network costs nothing here.
function slotsHere(environment: StartOptions['environment']): Slots {
  return { cpu: Math.max(1, Math.round(availableParallelism() / 4)), gpu: listCards(environment).length, net: 8 }
}

function listCards({ CUDA_VISIBLE_DEVICES: visible }: StartOptions['environment']): string[] {
  if (visible !== undefined) return visible.split(',').filter(card => card !== '' && card !== '-1')
  try {
    return readdirSync('/dev').flatMap(name => /^nvidia(\d+)$/.exec(name)?.[1] ?? [])
  } catch {
    return [] // no such folder, no such card
  }
}

export function parseSlots(text: string): Slots {
  const slots: Record<Resource, number> = { cpu: 0, gpu: 0, net: 0 }
  for (const entry of text.split(',')) {
    const [, name = '', many = ''] = /^(\w+)=(\d{1,3})$/.exec(entry.trim()) ?? []
    const resource = slotNames.find(one => one === name)
    if (!resource)
      throw new UsageError(`--slots has "${entry}".`, { hint: 'As: --slots cpu=2,gpu=1,net=8; what is left out is 0.' })
    slots[resource] = Number(many)
  }
  if (Object.values(slots).every(many => many === 0))
    throw new UsageError(`--slots ${text} leaves nothing to work with.`, { hint: 'As: --slots cpu=2' })
  return slots
}
