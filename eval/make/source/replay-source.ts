import { readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { absentAs, InputError } from '../../../src/core/errors.ts'
import { writeDurably } from '../../../src/store/durable.ts'
import { copyFolder } from '../../../src/store/place-file.ts'
import { readTextFile } from '../../../src/store/read-file.ts'
import type { MakeRecipe } from '../../recipes/recipe.ts'
import { type Adopted, adoptedFile } from './adopt-set.ts'
import { readSourceRecords, type SourceSet } from './read-source.ts'
import { readVideos } from './videos-json.ts'

// The source of a set that was made before: its records as they were, and its videos where they lie.
export async function replayedSources(set: string, folder: string, { videoFolder }: MakeRecipe): Promise<SourceSet> {
  const videos = await Promise.all(
    (await readVideos(set)).map(async video => ({
      ...video,
      id: basename(video.name, extname(video.name)),
      path: await fileAt(join(set, videoFolder, video.name)),
    })),
  )
  await copyFolder(join(set, 'made', 'source'), join(folder, 'made', 'source'))
  const text = await readTextFile(join(set, adoptedFile))
  if (text !== undefined) await writeDurably(join(folder, adoptedFile), text, 'umask')
  const { records = [], items } = (text === undefined ? {} : JSON.parse(text)) as Partial<Adopted>
  const all = [...(await readSourceRecords(folder)), ...records].sort((a, b) => (a.video_id < b.video_id ? -1 : 1))
  return { videos, records: all, ...(items && { adopted: items }) }
}

async function fileAt(place: string): Promise<string> {
  const path = await realpath(place).catch(absentAs(undefined))
  if (path !== undefined && (await stat(path)).isFile()) return path
  const target = await readlink(place).catch(absentAs(undefined, 'EINVAL'))
  const leads = target === undefined ? '' : ` leads to ${resolve(await realpath(dirname(place)), target)}, which`
  throw new InputError(`The video ${place}${leads} is not a file.`, {
    hint: 'Put it there again, or make the set with --copy, which holds its videos itself.',
  })
}
