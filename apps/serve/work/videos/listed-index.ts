import { InputError, LongtakeError } from '../../../../src/core/errors.ts'
import { stableJson } from '../../../../src/core/json.ts'
import type { Coverage, Video } from '../../../../src/core/video.ts'
import type { IndexedVideo } from '../../../../src/runtime/index/find-index.ts'
import { type FinishedWork, finishedIndex, type Unfinished } from '../../../../src/runtime/index/finished-index.ts'
import { contentFile } from '../../../../src/store/library/content-record.ts'
import { isPathSettled, looksTheSame, type SeenPaths } from '../../../../src/store/seen-paths.ts'

// What a list says of the index of a video.
export type Listed = { coverage: Coverage; version: string } | Unfinished

interface ListedEntry {
  record: string
  seen: SeenPaths
  listed: Listed
}

const maxKept = 20_000 // videos

// Looks at the indexes of videos by their sizes. Asked again, it reads only those of which a file or folder has changed that it
// rests on, whoever has changed it.
export function indexLister(work: FinishedWork): (video: Video) => Promise<Listed> {
  const entries = new Map<string, ListedEntry>()
  return async video => {
    const record = JSON.stringify(video)
    const before = entries.get(video.id)
    if (before?.record === record && (await looksTheSame(before.seen))) return before.listed
    entries.delete(video.id)
    const seen: SeenPaths = new Map()
    const listed = toListed(await lookOver(video, work, 'sizes', seen))
    if (!canBeKept(listed, seen, contentFile(work.library.videoFolder(video.id)))) return listed
    if (entries.size >= maxKept) entries.clear()
    entries.set(video.id, { record, seen, listed })
    return listed
  }
}

// What is wrong with one file, as one that is being written, is a matter of its own video: the others are listed all the same.
export async function lookOver(
  video: Video,
  work: FinishedWork,
  by: 'sizes' | 'use',
  seen?: SeenPaths,
): Promise<IndexedVideo | Unfinished> {
  return finishedIndex(video, work, by, seen).catch(error => {
    if (work.signal.aborted || !(error instanceof LongtakeError)) throw error
    return { what: error instanceof InputError ? 'changed' : 'damaged', why: inClause(error), mend: error.hint ?? '' }
  })
}

function toListed(found: IndexedVideo | Unfinished): Listed {
  return 'why' in found ? found : { coverage: found.coverage, version: indexVersion(found) }
}

// What an open index rests on: its results, and where its video and its subtitles lie. Another process may have made others.
export function indexVersion({ video: { path, sidecars }, reports }: IndexedVideo): string {
  return stableJson({ path, sidecars, keys: reports.map(({ key }) => key) })
}

// A damaged result is looked at anew until it is mended. A library without a record of the content is one of an earlier release,
// where other results count too.
function canBeKept(listed: Listed, seen: SeenPaths, content: string): boolean {
  if ('what' in listed && listed.what === 'damaged') return false
  return seen.get(content) !== '' && isPathSettled(seen)
}

// As a part of a sentence.
function inClause({ message }: LongtakeError): string {
  return message.replace(/\.$/, '')
}
