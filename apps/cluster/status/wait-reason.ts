import type { Resource } from '../data/job.ts'
import type { QueueStatus, Unserved, WorkerStatus } from './cluster-status.ts'

const unknownSeconds = 60 // of a job of which none has ended yet

// What holds things up, in one line: the first of these that is so.
export function waitReason(
  queues: readonly QueueStatus[],
  workers: readonly WorkerStatus[],
  unserved: readonly Unserved[],
): string {
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  if (waiting === 0)
    return queues.some(({ running }) => running > 0) ? 'Nothing waits; the last jobs run.' : 'Nothing waits.'
  const live = workers.filter(({ state }) => state === 'live')
  if (live.length === 0) return `No worker lives, and ${jobs(waiting)}. Start one: longtake cluster worker`
  const idle = live.find(({ note }) => note !== undefined)
  if (idle) return `${idle.host} takes no jobs: ${idle.note}`
  const [first] = [...unserved].sort((a, b) => b.waiting - a.waiting)
  if (first) return `No worker serves ${first.queue}, and ${jobs(first.waiting)}. ${first.mend}`
  const full = (['gpu', 'cpu', 'net'] as const)
    .map(resource => ({ resource, slots: countSlots(live, resource), seconds: sumSeconds(queues, resource) }))
    .filter(({ resource, slots }) => slots > 0 && runningIn(queues, resource) >= slots)
    .sort((a, b) => b.seconds / b.slots - a.seconds / a.slots)[0]
  if (!full || full.seconds === 0) return 'Nothing: free slots take up what waits.'
  const { resource, slots, seconds } = full
  const more = `${slots} more would end it in ${roughly(seconds / (2 * slots))} instead of ${roughly(seconds / slots)}`
  return `${resource.toUpperCase()} slots full: ${more}.`
}

const jobs = (count: number) => (count === 1 ? '1 job waits' : `${count} jobs wait`)

function countSlots(workers: readonly WorkerStatus[], resource: Resource): number {
  return workers.reduce((sum, { slots }) => sum + (slots[resource] ?? 0), 0)
}

function runningIn(queues: readonly QueueStatus[], resource: Resource): number {
  return queues.filter(queue => queue.resource === resource).reduce((sum, { running }) => sum + running, 0)
}

function sumSeconds(queues: readonly QueueStatus[], resource: Resource): number {
  return queues
    .filter(queue => queue.resource === resource)
    .reduce((sum, { waiting, seconds = unknownSeconds }) => sum + waiting * seconds, 0)
}

function roughly(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${Number((seconds / 3600).toFixed(seconds < 36_000 ? 1 : 0))} h`
}
