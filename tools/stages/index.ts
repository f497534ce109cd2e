import { once } from '../../src/core/basics/once.ts'
import type { Stage } from '../../src/core/stage.ts'

// What an index is made of, each after those that it reads.
const files: readonly (() => Promise<{ default: Stage }>)[] = [
  () => import('./subtitles.ts'),
  () => import('./decode.ts'),
  () => import('./vectors.ts'),
  () => import('./text.ts'),
  () => import('./voices.ts'),
  () => import('./speech.ts'),
  () => import('./speakers.ts'),
  () => import('./sounds.ts'),
  () => import('./captions.ts'),
  () => import('./faces.ts'),
  () => import('./people.ts'),
  () => import('./overview.ts'),
  () => import('./story.ts'),
  () => import('./full-text.ts'),
  () => import('./vector-index.ts'),
  () => import('./text-vectors.ts'),
]

export const loadStages = once(
  async (): Promise<readonly Stage[]> => (await Promise.all(files.map(load => load()))).map(file => file.default),
)
