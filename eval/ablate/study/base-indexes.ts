import { indexVideo } from '../../../src/app/index/index-video.ts'
import { locateVideo } from '../../../src/app/index/locate-video.ts'
import { type OpenedIndex, openIndex } from '../../../src/app/index/open-index.ts'
import { filePolicy } from '../../../src/app/index/plan-stages.ts'
import type { StudyParts } from './study-parts.ts'

// Indexes of the base, opened when a replay first needs one and closed together. The base row has made them before.
export function baseIndexes({ library, models, settings, gold, world }: StudyParts): {
  open(path: string): Promise<OpenedIndex>
  close(): Promise<void>
} {
  const opened = new Map<string, Promise<OpenedIndex>>()
  const { signal } = world
  const make = async (path: string) => {
    const found = await locateVideo(library, path, { ...filePolicy(settings.index), watch: () => {}, signal })
    const sample = gold.samples.find(one => gold.pathOf(one.video) === path)
    const subtitles = sample && gold.subtitlesOf(sample)
    const video = subtitles && /\.(srt|vtt)$/i.test(subtitles) ? { ...found, sidecars: [subtitles] } : found
    const folder = library.videoFolder(video.id)
    const indexed = await indexVideo({ video, folder, models, settings: settings.index, watch: () => {}, signal })
    return openIndex(indexed, models, settings.index, signal)
  }
  return {
    open(path) {
      const known = opened.get(path) ?? make(path)
      opened.set(path, known)
      return known
    },
    async close() {
      for (const index of opened.values()) await (await index.catch(() => undefined))?.close()
    },
  }
}
