import { realpath } from 'node:fs/promises'
import { basename, isAbsolute, resolve } from 'node:path'
import type { z } from 'zod'
import { Refused } from '../../../../src/core/api/problem.ts'
import type { Folder } from '../../../../src/core/api/video.ts'
import { isWithin } from '../../../../src/core/basics/is-within.ts'
import { absentAs, forbidden, UsageError } from '../../../../src/core/errors.ts'
import { isVideoId, type Video } from '../../../../src/core/video.ts'
import type { Library } from '../../../../src/store/library/library.ts'

export type AllowedFolder = z.infer<typeof Folder>

export async function requireVideo(library: Library, id: string): Promise<Video> {
  const video = isVideoId(id) ? await library.find(id) : undefined
  if (video) return video
  throw new Refused('unknown', 'There is no video with this id.', 'GET /api/videos lists them.')
}

// The file of a video as it was found: a link that took its place, or that of its folder, leads elsewhere and is not followed.
export async function unmovedPath({ path }: Pick<Video, 'path'>): Promise<string> {
  const real = await realpath(path).catch(absentAs(undefined, ...forbidden, 'ELOOP'))
  if (real === path) return path
  throw new Refused('unknown', 'The file of the video is missing.', 'Add it again from its new place.')
}

// The folders of the command line, by number. Only what lies in them can be listed or added.
export async function allowedFolders(given: readonly string[]): Promise<AllowedFolder[]> {
  return Promise.all(
    given.map(async (one, folder) => {
      const path = await realpath(resolve(one)).catch(cause => {
        throw new UsageError(`There is no folder ${JSON.stringify(one)}.`, { hint: 'Check the path.', cause })
      })
      return { folder, name: basename(path), path }
    }),
  )
}

// The real path of what a client names, which lies in an allowed folder. What lies elsewhere is refused like what is not there
// at all, so that nothing can be learned of it.
export async function pathInFolder(
  folders: readonly AllowedFolder[],
  given: string,
  number: number | undefined,
): Promise<string> {
  if (given.includes('\0')) throw new UsageError('A path cannot hold a NUL.')
  const base = number === undefined && isAbsolute(given) ? undefined : folderAt(folders, number ?? 0)
  if (base && isAbsolute(given)) throw outside()
  const path = await realpath(base ? resolve(base.path, given) : given).catch(
    absentAs(undefined, ...forbidden, 'ELOOP', 'ENAMETOOLONG', 'EINVAL'),
  )
  const inside = path !== undefined && (base ? [base] : folders).some(folder => isWithin(folder.path, path))
  if (!inside) throw outside()
  return path
}

export function folderAt(folders: readonly AllowedFolder[], number: number): AllowedFolder {
  const folder = folders[number]
  if (folder) return folder
  throw new Refused('unknown', `There is no folder ${number}.`, 'Start the server with it: longtake serve FOLDER.')
}

export function outside(): Refused {
  return new Refused(
    'forbidden',
    'There is no such file in the folders that this server may use.',
    'GET /api/folders lists them.',
  )
}
