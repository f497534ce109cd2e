import { readFile, realpath } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { z } from 'zod'
import { absentAs, UsageError } from '../../../src/core/errors.ts'
import { copyFolder } from '../../../src/store/place-file.ts'
import type { MakeRecipe } from '../recipe.ts'
import { readRecords, type Sources } from './read-source.ts'

const Videos = z.array(z.object({ name: z.string(), bytes: z.number(), sha256: z.string(), duration: z.number() }))

// The source of a set that was made before: its records as they were, and its videos where they lie.
export async function replayedSources(set: string, folder: string, { videoFolder }: MakeRecipe): Promise<Sources> {
  const text = await readFile(join(set, 'videos.json'), 'utf8').catch(absentAs(undefined))
  if (text === undefined)
    throw new UsageError(`${set} holds no whole made set.`, { hint: 'Finish it first: longtake bench make --resume.' })
  await copyFolder(join(set, 'made', 'source'), join(folder, 'made', 'source'))
  const videos = Videos.parse(JSON.parse(text)).map(async video => ({
    ...video,
    id: basename(video.name, extname(video.name)),
    path: await realpath(join(set, videoFolder, video.name)),
  }))
  return { videos: await Promise.all(videos), records: await readRecords(folder) }
}
