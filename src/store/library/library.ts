import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { publicAddress } from '../../core/basics/address.ts'
import { StorageError, UsageError } from '../../core/errors.ts'
import { stableJson } from '../../core/json.ts'
import { Video } from '../../core/video.ts'
import { ensureFolder } from '../durable.ts'
import { exists, listNames } from '../read-file.ts'
import { readRecord, saveRecord } from '../sealed-record.ts'
import { onDisk } from '../storage-error.ts'
import { isReadOnly } from './content-record.ts'

// What stays of a video whose results were removed: another process may wait for its lock.
export const lockFiles = ['lock.sqlite', 'progress.json', 'locks']

export interface Library {
  home: string
  videoFolder(id: string): string
  save(video: Video): Promise<void> // also marks the video as used now: `prune` goes by it
  find(id: string): Promise<Video | undefined>
  alike(id: string): Promise<string[]> // the ids that a file whose samples give this id may have, the plain one first
  isDamaged(id: string): Promise<boolean> // there is a record, and it is not what was written
  list(): Promise<Video[]> // by name
  survey(): Promise<{ videos: Video[]; unreadable: { id: string; why: string }[] }> // the same, and what cannot be listed
}

// The videos that longtake knows, one folder each under <home>/library. Nothing is made on disk before the first save.
export function openLibrary(home: string): Library {
  const root = join(home, 'library')

  const videoFolder = (id: string) => {
    if (!isFolderName(id))
      throw new UsageError(`"${id}" is not a valid video id.`, { hint: 'See "longtake ls" for the ids.' })
    return join(root, id)
  }

  const find = async (id: string) => (isFolderName(id) ? readVideo(join(root, id, 'video.json')) : undefined)

  const ids = async () => (await listNames(root)).filter(isFolderName).sort()

  return {
    home,
    videoFolder,
    find,
    async alike(id) {
      return (await ids()).filter(one => one === id || one.startsWith(`${id}-`))
    },
    async isDamaged(id) {
      return (await exists(join(videoFolder(id), 'video.json'))) && (await find(id)) === undefined
    },
    async save(given) {
      const video = withPublicAddress(given)
      const folder = videoFolder(video.id)
      const file = join(folder, 'video.json')
      const stored = await find(video.id)
      if (stored && stableJson(stored) === stableJson(video)) return markUsed(file)
      const saving = onDisk(`save what is known of ${video.name} in ${folder}`, async () => {
        await ensureFolder(folder)
        await saveRecord(file, { format: 1, ...video })
      })
      await saving.catch(error => {
        if (!stored || !isReadOnly(error)) throw error // a library that may only be read keeps the path it has
      })
    },
    async list() {
      const videos = await Promise.all((await ids()).map(find))
      return videos.filter(video => video !== undefined).sort(byName)
    },
    async survey() {
      const videos: Video[] = []
      const unreadable: { id: string; why: string }[] = []
      for (const id of await ids()) {
        try {
          const video = await find(id)
          if (video) videos.push(video)
          else if ((await listNames(join(root, id))).some(name => !lockFiles.includes(name)))
            unreadable.push({ id, why: 'what is known of it is missing or damaged' })
        } catch (error) {
          if (!(error instanceof StorageError)) throw error
          unreadable.push({ id, why: error.message })
        }
      }
      return { videos: videos.sort(byName), unreadable }
    },
  }
}

function byName(a: Video, b: Video): number {
  const key = ({ name, id }: Video) => `${name}\n${id}`
  return key(a) < key(b) ? -1 : 1
}

// Ids become folder names, and people type them: nothing that could leave the library is one.
function isFolderName(id: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$/.test(id)
}

const StoredVideo = Video.extend({ format: z.literal(1) })

// A damaged one counts as unknown: the next index run probes the file again and writes it anew.
async function readVideo(file: string): Promise<Video | undefined> {
  const record = await readRecord(file, StoredVideo)
  return typeof record === 'string' ? undefined : withPublicAddress(Video.parse(record))
}

function withPublicAddress(video: Video): Video {
  return video.address === undefined ? video : { ...video, address: publicAddress(video.address) }
}

// A read-only library is not an error: the time of the last use then stays as it was.
async function markUsed(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now).catch(() => {})
}
