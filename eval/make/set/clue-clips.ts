import { basename, join } from 'node:path'
import type { Span } from '../../../src/core/time.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { removeFolder } from '../../../src/store/durable.ts'
import { placeFile } from '../../../src/store/place-file.ts'
import { clipOf } from '../../protocols/clue-clips.ts'
import { readVideos } from './videos-json.ts'

// Parts of the videos of a set, as files of their own in a folder that holds nothing else.
export interface SetClips {
  folder: string // below the set
  clips: readonly SetClip[]
}

export interface SetClip {
  name: string
  video: string // below the set
  spans: readonly Span[] // one after another
}

export type CutClip = SetClip & { file: string }

// Each is cut once and kept in made/clips: as long as it is there, its video need not be.
export async function cutClips(folder: string, { clips }: SetClips, signal: AbortSignal): Promise<CutClip[]> {
  if (clips.length === 0) return []
  const kept = { folder: join(folder, 'made', 'clips'), signal }
  const sums = new Map((await readVideos(folder)).map(({ name, sha256 }) => [name, sha256]))
  const cut: CutClip[] = []
  for (const clip of clips) {
    signal.throwIfAborted()
    const id = sums.get(basename(clip.video)) ?? clip.video
    const file = await clipOf({ id, open: () => probe(join(folder, clip.video)) }, clip.spans, kept)
    cut.push({ ...clip, file })
  }
  return cut
}

// What a name leads to is said anew each time: questions are numbered again where one is gone.
export async function placeClips(place: string, clips: readonly CutClip[]): Promise<void> {
  await removeFolder(place)
  for (const { name, file } of clips) await placeFile(file, join(place, name), 'link')
}
