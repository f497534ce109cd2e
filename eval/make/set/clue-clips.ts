import { basename, join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { removeFolder } from '../../../src/store/durable.ts'
import { placeFile } from '../../../src/store/place-file.ts'
import { exists } from '../../../src/store/read-file.ts'
import { cutClip, keptClip } from '../../protocols/clue-clips.ts'
import type { SetClip, SetClips } from '../../recipes/recipe.ts'
import { readVideos } from '../source/videos-json.ts'

type CutClip = SetClip & { file: string }

// Each is cut once and kept in made/clips: as long as it is there, its video need not be.
export async function cutClips(folder: string, given: SetClips, signal: AbortSignal): Promise<CutClip[]> {
  const named = await checkClips(folder, given)
  const clipCache = { folder: keptIn(folder), signal }
  const cut: CutClip[] = []
  for (const { id, clip } of named) {
    signal.throwIfAborted()
    const file = await cutClip({ id, open: () => probe(join(folder, clip.video)) }, clip.spans, clipCache)
    cut.push({ ...clip, file })
  }
  return cut
}

// Each with the id of the content of its video; refuses what could not be cut now.
export async function checkClips(folder: string, { clips }: SetClips): Promise<{ id: string; clip: SetClip }[]> {
  if (clips.length === 0) return []
  const sums = new Map((await readVideos(folder)).map(({ name, sha256 }) => [name, sha256]))
  const named = clips.map(clip => ({ id: sums.get(basename(clip.video)) ?? clip.video, clip }))
  const missing = new Set<string>()
  for (const { id, clip } of named)
    if (!(await exists(keptClip(id, clip.spans, keptIn(folder)))) && !(await exists(join(folder, clip.video))))
      missing.add(clip.video)
  if (missing.size === 0) return named
  throw new UsageError(`Clips of ${folder} are to be cut from videos that are not there: ${[...missing].join(', ')}.`, {
    hint: 'Put them back there, as files or links.',
  })
}

const keptIn = (folder: string) => join(folder, 'made', 'clips')

// What a name leads to is said anew each time: questions are numbered again where one is gone.
export async function placeClips(place: string, clips: readonly CutClip[]): Promise<void> {
  await removeFolder(place)
  for (const { name, file } of clips) await placeFile(file, join(place, name), 'link')
}
