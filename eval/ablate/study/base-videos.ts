import type { OpenVideo } from '../../../src/core/runtime.ts'
import { subtitleFile } from '../../bench/agent.ts'
import type { StudyParts } from './study-parts.ts'

// Videos as the base has them, opened when a replay first needs one and closed together. The base row has indexed them before.
export function baseVideos({ runtime, gold, world }: StudyParts): {
  open(path: string): Promise<OpenVideo>
  close(): Promise<void>
} {
  const opened = new Map<string, Promise<OpenVideo>>()
  const make = async (path: string) => {
    const sample = gold.samples.find(one => gold.pathOf(one.video) === path)
    const subtitles = subtitleFile(sample && gold.subtitlesOf(sample))
    return runtime.openVideo(path, { subtitles, signal: world.signal })
  }
  return {
    open(path) {
      const known = opened.get(path) ?? make(path)
      opened.set(path, known)
      return known
    },
    async close() {
      for (const video of opened.values()) await (await video.catch(() => undefined))?.close()
    },
  }
}
