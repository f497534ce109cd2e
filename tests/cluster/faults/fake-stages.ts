import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArtifactStore } from '../../../apps/cluster/store/artifact-store.ts'
import { resultName } from '../../../apps/cluster/store/object-names.ts'
import type { TaskEnding } from '../../../apps/cluster/task/messages.ts'
import type { Slot } from '../../../apps/cluster/worker/slot.ts'

// What a stage "makes" of a video here: the same on every machine.
export function resultOf(video: string, stage: string, key: string): Buffer {
  return Buffer.from(`${video} ${stage} ${key}\n`.repeat(20))
}

const taken = 200 // milliseconds of a stage
export const poisoned = { video: 'poisoned', stage: 'decode' }

// The process of a slot, but without the process: everything around it is the real thing.
export function fakeSlot(store: ArtifactStore): Slot {
  return {
    async run(task, progress, signal): Promise<TaskEnding> {
      const { job, attempt } = task
      if (job.kind !== 'stage') throw new Error('There are only stages here.')
      const { video, stage, key } = job
      if (video.includes(poisoned.video) && stage === poisoned.stage)
        return { kind: 'crashed', how: 'ended by SIGSEGV' }
      progress({ type: 'progress', text: stage, done: 0, total: 1 })
      await sleep(taken, undefined, { signal }).catch(() => {})
      if (signal.aborted) return { kind: 'stopped' }
      return made(store, { video, stage, key, attempt })
    },
    fresh: async () => {},
    close: async () => {},
  }
}

async function made(store: ArtifactStore, name: Parameters<typeof resultName>[0]): Promise<TaskEnding> {
  const { video, stage, key } = name
  const bytes = resultOf(video, stage, key)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const object = resultName(name)
  await store.put(object, () => Readable.from([bytes]), bytes.length)
  const files = { rows: { bytes: bytes.length, sha256 } }
  const about = { by: 'fake', settings: {}, inputs: {}, seconds: 0.2, notes: [], finished: '2026-01-01T00:00:00.000Z' }
  return {
    kind: 'made',
    pushed: { object, bytes: bytes.length, sha256, meta: { format: 1, stage, key, video, files, ...about } },
  }
}
