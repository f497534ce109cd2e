import type { WorkerRow } from '../data/catalogue/workers.ts'
import type { QueueStatus, Unserved } from './cluster-status.ts'

export function unservedQueues(
  queues: readonly QueueStatus[],
  workers: readonly Pick<WorkerRow, 'queues' | 'state'>[],
): Unserved[] {
  return queues
    .filter(({ waiting, workers }) => waiting > 0 && workers === 0)
    .map(({ queue, waiting, stage, backend, version }) => {
      const begin = stage === undefined ? 'longtake worker' : `longtake worker --only ${stage}`
      const others = workers.flatMap(({ queues }) => queues).filter(other => samePurpose(other, queue))
      if (others.length > 0)
        return {
          ...{ queue, waiting, why: `workers serve another version of it: ${[...new Set(others)].join(', ')}` },
          mend: `Update longtake and its models there, or where the work was asked for, until the versions agree; then: ${begin}`,
        }
      const needs =
        backend === undefined ? '' : ` where \`longtake doctor\` finds ${backend} (version ${version}) ready`
      return { queue, waiting, why: 'no live worker serves it', mend: `On a machine${needs}: ${begin}` }
    })
}

// "speech.transcribe-whisper.3fa9c1d2": all but the version.
function samePurpose(a: string, b: string): boolean {
  const purpose = (queue: string) => queue.slice(0, queue.lastIndexOf('.'))
  return a !== b && purpose(a) === purpose(b)
}
