import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { formatTime } from '../../../src/core/time.ts'
import { fullHash } from '../../../src/media/file/full-hash.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import { ensureFolder, writeDurably } from '../../../src/store/durable.ts'
import { listNames, parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import { readAbout, readSourceScript } from '../../recipes/about.ts'
import type { DraftItem, SourceRecord } from '../../recipes/item.ts'
import type { SightingWish } from '../../recipes/recipe.ts'
import { collectSightings } from './sightings.ts'
import { sourceRecord } from './source-record.ts'

export interface SourceVideo {
  id: string
  path: string
  name: string // in the set
  bytes: number
  sha256: string
  duration: number
}

export interface SourceSet {
  videos: SourceVideo[]
  records: SourceRecord[]
  adopted?: DraftItem[] // questions of another set
}

interface SourceWish {
  runtime: LocalRuntime
  folder?: string // of the set; undefined: nothing is written
  ids: ReadonlyMap<string, string>
  minutes: number
  form: 'covering' | 'as released'
  sightings?: SightingWish
  say(line: string): void
  signal: AbortSignal
}

export async function readSourceVideo(id: string, path: string, signal: AbortSignal): Promise<SourceVideo> {
  const { duration, bytes } = await probe(path)
  const { sha256 } = await fullHash(path, signal)
  return { id, path, name: `${id}${extname(path).toLowerCase()}`, bytes, sha256, duration }
}

// One record for each video, from its ordinary index; what is missing there is made first, once.
export async function readSources(wish: SourceWish): Promise<SourceSet> {
  const { runtime, folder, ids, minutes, form, sightings, say, signal } = wish
  const sources: SourceSet = { videos: [], records: [] }
  const sourceFolder = folder === undefined ? undefined : join(folder, 'made', 'source')
  if (sourceFolder !== undefined) await ensureFolder(sourceFolder, 'umask')
  for (const [id, path] of [...ids].sort(([a], [b]) => (a < b ? -1 : 1))) {
    say(`source ${sources.videos.length + 1}/${ids.size}: ${id}`)
    const { video, shots, evidence } = await runtime.videos.show(path, { signal })
    if (video.duration < minutes * 60)
      throw new UsageError(`${path} lasts ${formatTime(video.duration)}, and the recipe begins at ${minutes} min.`, {
        hint: `Leave it out, or allow it with --option minMinutes=${Math.floor(video.duration / 60)}.`,
      })
    const name = `${id}${extname(path).toLowerCase()}`
    const about = await readAbout(path)
    const { sha256 } = await fullHash(path, signal)
    const script = await readSourceScript(path)
    const record = sourceRecord({ id, name, about, script, form, video, shots, evidence })
    const file = sourceFolder && join(sourceFolder, `${id}.json`)
    if (sightings) {
      const recordBefore = parseStoredJson(file && (await readTextFile(file))) as SourceRecord | undefined
      const before = recordBefore?.sightings
      const seeing = { video, sha256, about, wish: sightings, runtime, before, isDry: file === undefined, say, signal }
      record.sightings = await collectSightings(seeing)
    }
    sources.records.push(record)
    sources.videos.push({ id, path, name, bytes: video.bytes, sha256, duration: video.duration })
    if (file !== undefined) await writeDurably(file, `${JSON.stringify(record)}\n`, 'umask')
  }
  return sources
}

// In the order in which they were made, which is not that of their file names: "a-b.json" stands before "a.json".
export async function readSourceRecords(folder: string): Promise<SourceRecord[]> {
  const recordFolder = join(folder, 'made', 'source')
  const names = (await listNames(recordFolder)).filter(name => name.endsWith('.json'))
  const records = names.map(async name => JSON.parse(await readFile(join(recordFolder, name), 'utf8')) as SourceRecord)
  return (await Promise.all(records)).sort((a, b) => (a.video_id < b.video_id ? -1 : 1))
}
