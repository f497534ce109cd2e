import type { VideoMemory } from '../../../../src/core/operation.ts'
import { runtimeMemory } from '../../../../src/runtime/memory.ts'
import type { Workplace } from '../workplace.ts'
import { readIndex } from './video-view.ts'

// What operations work with at a door: an index is read and never made on the way.
export function servedMemory({ served, pictures }: Workplace, signal: AbortSignal): VideoMemory {
  const memory = runtimeMemory(served.runtime, (video, work) => readIndex(served, video, work), signal)
  return { ...memory, frames: (...wish) => pictures.run(() => memory.frames(...wish), signal) }
}
