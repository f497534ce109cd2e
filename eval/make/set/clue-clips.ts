import { dirname, join } from 'node:path'
import type { Span } from '../../../src/core/time.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { removeFolder } from '../../../src/store/durable.ts'
import { placeFile } from '../../../src/store/place-file.ts'
import { clipOf } from '../../protocols/clue-clips.ts'

// Parts of a video of the set, one after another, as a file of its own.
export interface SetClip {
  path: string // below the set
  video: string // below the set
  spans: readonly Span[]
}

// Each is cut once and kept in made/clips. What its name leads to is said anew each time: questions are numbered again where one is gone.
export async function writeClips(folder: string, clips: readonly SetClip[], signal: AbortSignal): Promise<void> {
  for (const place of new Set(clips.map(({ path }) => dirname(path)))) await removeFolder(join(folder, place))
  const kept = join(folder, 'made', 'clips')
  for (const { path, video, spans } of clips) {
    signal.throwIfAborted()
    const clip = await clipOf(await probe(join(folder, video)), spans, { folder: kept, signal })
    await placeFile(clip, join(folder, path), 'link')
  }
}
