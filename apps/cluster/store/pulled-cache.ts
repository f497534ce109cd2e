import { rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { absentAs } from '../../../src/core/errors.ts'
import { megabytesIn } from '../../../src/core/machine/memory.ts'
import { ensureFolder } from '../../../src/store/durable.ts'
import { freeSpace } from '../../../src/store/free-space.ts'
import { ifUnused, pulledFolder, useVideo } from '../../../src/store/library/in-use.ts'
import type { Library } from '../../../src/store/library/library.ts'
import { exists, listNames } from '../../../src/store/read-file.ts'
import { readRecord, saveRecord } from '../../../src/store/sealed-record.ts'
import { onDisk } from '../../../src/store/storage-error.ts'
import { temporaryPath } from '../../../src/store/temporary.ts'

// A result or the file of a video that came from the store, by its place in the video's folder. What was made here has no such record.
const Pulled = z.object({
  format: z.literal(1),
  path: z.string().regex(/^(?:stages\/[\w-]+\/[\w-]+|source)$/),
  bytes: z.number().min(0),
})

export interface PulledCache {
  readonly library: Library
  use(video: string): Promise<() => Promise<void>> // nothing of it is removed until the returned function is called
  add(video: string, path: string, bytes: number): Promise<void> // has come; it is the one used last
  keep(video: string, path: string): Promise<void> // was made here, so that it stays
  makeRoom(bytes: number): Promise<number> // removes what was not used for longest until so many more fit; returns what that freed
}

interface Entry {
  video: string
  path: string
  record: string
  bytes: number
  used: number
}

// What was pulled takes no more of the disk than `cluster.cache` says: the longest unused goes first, and never what a process uses
// or what was made here.
export function openPulledCache(library: Library, limit: string): PulledCache {
  const recordOf = (video: string, path: string) =>
    join(library.videoFolder(video), pulledFolder, `${path.replaceAll('/', '.')}.json`)
  let room: { bytes: number; taken: number; at: number } | undefined

  const survey = async () => {
    const entries = await entriesIn(library)
    const usedBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0)
    const { bytes: free } = await freeSpace(library.home)
    room = {
      bytes: Math.min(await cacheLimit(limit, library.home), usedBytes + free),
      taken: usedBytes,
      at: performance.now(),
    }
    return { entries, room }
  }

  return {
    library,
    async use(video) {
      const folder = library.videoFolder(video)
      const leave = await useVideo(folder)
      const now = new Date()
      const records = (await listNames(join(folder, pulledFolder))).filter(name => name.endsWith('.json'))
      for (const name of records) await utimes(join(folder, pulledFolder, name), now, now).catch(absentAs(undefined))
      return leave
    },
    async add(video, path, bytes) {
      const record = recordOf(video, path)
      await onDisk(`note what was pulled in ${record}`, async () => {
        await ensureFolder(dirname(record))
        const pulled: z.infer<typeof Pulled> = { format: 1, path, bytes }
        await saveRecord(record, pulled)
      })
      if (room) room.taken += bytes
    },
    async keep(video, path) {
      await rm(recordOf(video, path), { force: true })
    },
    // Other processes pull into the same library, so what is known of it is looked up again from time to time.
    async makeRoom(bytes) {
      if (room && performance.now() - room.at < surveyEvery && room.taken + bytes <= room.bytes) return 0
      const { entries, room: now } = await survey()
      let freed = 0
      for (const entry of entries.sort((a, b) => a.used - b.used)) {
        if (now.taken + bytes <= now.bytes) break
        if (!(await evict(library, entry))) continue
        now.taken -= entry.bytes
        freed += entry.bytes
      }
      return freed
    },
  }
}

const surveyEvery = 60_000 // milliseconds

// Renamed away before its files go: a half-removed result never bears the name of a whole one.
async function evict(library: Library, { video, path, record }: Entry): Promise<boolean> {
  const folder = library.videoFolder(video)
  const away = temporaryPath(folder)
  const gone = await ifUnused(folder, async () => {
    await rename(join(folder, path), away).catch(absentAs(undefined))
    await rm(record, { force: true })
  })
  if (gone) await rm(away, { recursive: true, force: true })
  return gone
}

async function entriesIn(library: Library): Promise<Entry[]> {
  const root = join(library.home, 'library')
  const entries: Entry[] = []
  for (const video of await listNames(root)) {
    const folder = join(root, video, pulledFolder)
    for (const name of (await listNames(folder)).filter(name => name.endsWith('.json'))) {
      const record = join(folder, name)
      const [found, looked] = [await readRecord(record, Pulled), await stat(record).catch(absentAs(undefined))]
      if (typeof found === 'string' || !looked) continue
      if (await exists(join(root, video, found.path))) entries.push({ video, record, used: looked.mtimeMs, ...found })
      else await rm(record, { force: true }) // it was removed by other means
    }
  }
  return entries
}

// "20%" of the disk, or a size.
async function cacheLimit(limit: string, home: string): Promise<number> {
  const share = /^(\d+(?:\.\d+)?)%$/.exec(limit)?.[1]
  if (share === undefined) return (megabytesIn(limit) ?? 0) * 1e6
  const { blocks, bsize } = await statfs(home)
  return (blocks * bsize * Number(share)) / 100
}
