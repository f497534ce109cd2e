import type { Watch } from '../../../core/agent.ts'
import type { Video } from '../../../core/video.ts'
import { type FileLook, isSettledLook, looksSame, type Trust } from '../../../media/file/file-look.ts'
import { type FullHash, fullHash } from '../../../media/file/full-hash.ts'
import { type ContentRecord, readContentRecord, saveContent } from '../../../store/library/content-record.ts'
import { listStages } from '../../../store/stage/stage-check.ts'

export interface ContentWork {
  trust: Trust
  watch: Watch
  signal: AbortSignal
}

// yes: the file is the video of this folder. no: it is another one. unlike: it cannot be shown to be, as nothing says what the
// folder was made from.
type Comparison = 'yes' | 'no' | 'unlike'

// Whether a file was seen before as the content of this folder and has not been touched since: nothing is read.
export function isKnownLook({ files }: ContentRecord, look: FileLook, trust: Trust): boolean {
  return files.some(file => looksSame(file, look, trust) && isSettledLook({ ...look, seen: file.seen }, trust))
}

// Compares a file with the content of a video's folder, by reading all of it where no look at it is known.
export async function compareContent(
  folder: string,
  look: FileLook,
  whole: () => Promise<FullHash>,
  { trust, watch }: ContentWork,
): Promise<Comparison> {
  const record = await readContentRecord(folder)
  if (typeof record === 'object') {
    if (isKnownLook(record, look, trust)) return 'yes'
    // No hash yet: it is being indexed, or was when a kill came. The same look is then enough, also where a clock that jumps makes
    // it unsettled: the indexing process checks again before every result. Otherwise it is another file, or an earlier version of this one.
    if (record.sha256 === undefined) return record.files.some(file => looksSame(file, look, trust)) ? 'yes' : 'unlike'
    const { sha256, look: now } = await whole()
    if (sha256 !== record.sha256) return 'no'
    await saveContent(folder, sha256, [now, ...record.files])
    return 'yes'
  }
  if (!(await isOlder(look, folder))) return 'unlike'
  const { sha256, look: now } = await whole()
  await saveContent(folder, sha256, [now])
  const why =
    record === 'damaged'
      ? 'The record of its content was damaged'
      : 'Its index was made by an earlier longtake, which compared samples of the file'
  watch({ type: 'note', text: `${why}; the hash of the whole file is recorded now.` })
  return 'yes'
}

// Whether the file was last written before its index was started: all that an index without a hash can tell.
export async function isOlder(look: FileLook, folder: string): Promise<boolean> {
  const began = (await listStages(folder)).map(
    ({ finished, seconds }) => Date.parse(finished) - Math.ceil(seconds * 1000),
  )
  return BigInt(look.modified) < BigInt(Math.min(Date.now(), ...began)) * 1_000_000n
}

// The hash of a whole file, read once however often it is asked for, with its progress.
export function wholeFile(path: string, { watch, signal }: ContentWork, video?: Pick<Video, 'duration'>) {
  let hash: Promise<FullHash> | undefined
  return () => {
    hash ??= hashWithProgress(path, watch, signal, video?.duration ?? 0)
    return hash
  }
}

const brief = 64 * 1024 * 1024 // bytes: read before anybody wonders

async function hashWithProgress(path: string, watch: Watch, signal: AbortSignal, duration: number): Promise<FullHash> {
  const began = performance.now()
  const event = { type: 'stage', stage: 'content', note: 'the whole file is read to compare it' } as const
  const total = duration
  let reported = 0
  const hash = await fullHash(path, signal, (bytes, of) => {
    if (of < brief || bytes - reported < 16 * 1024 * 1024) return
    reported = bytes
    watch({ ...event, state: 'running', done: (duration * bytes) / of, total })
  })
  const seconds = (performance.now() - began) / 1000
  if (reported > 0) watch({ ...event, state: 'done', done: total, total, seconds })
  return hash
}
