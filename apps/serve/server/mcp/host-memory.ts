import { UsageError } from '../../../../src/core/errors.ts'
import type { VideoMemory } from '../../../../src/core/operation.ts'
import { servedMemory } from '../../work/videos/served-memory.ts'
import type { Desk } from './define-tool.ts'

// What a host may read: the library, or the one video that it was started for.
export function hostMemory({ place, only }: Pick<Desk, 'place' | 'only'>, signal: AbortSignal): VideoMemory {
  const memory = servedMemory(place, signal)
  if (only === undefined) return memory
  return {
    ...memory,
    async videos() {
      const videos = await memory.videos()
      const video = videos.find(({ id }) => id === only) ?? videos.find(({ name }) => name === only)
      if (video) return [video]
      throw new UsageError(`--only names no video of the library: "${only}".`, { hint: 'See "longtake list".' })
    },
  }
}
