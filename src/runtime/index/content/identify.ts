import type { IndexSettings } from '../../../core/settings.ts'
import { contentId } from '../../../media/file/content-id.ts'
import { type FileLook, waitUntilSettled } from '../../../media/file/file-look.ts'
import type { FullHash } from '../../../media/file/full-hash.ts'
import type { LocalFile } from '../../../media/file/local-file.ts'
import { localFile } from '../../../media/file/local-file.ts'
import { claimContent, readContentRecord, saveContent } from '../../../store/library/content-record.ts'
import type { Library } from '../../../store/library/library.ts'
import { chooseTrust } from '../plan-stages.ts'
import { type ContentWork, compareContent, isKnownLook, wholeFile } from './compare.ts'

// Identifies the library's video that a file is. Samples of the file give the candidates; all of its bytes decide, or a look that
// shows that it was not touched since they were read. Where another video has the same samples, the id gets a part of the
// whole hash.
//
// `onNew` is called before a new video is written down, and may refuse the file.
export async function identify(
  library: Library,
  { path, bytes }: LocalFile,
  work: ContentWork,
  onNew: () => Promise<void>,
): Promise<string> {
  const quick = await contentId(path, bytes)
  const look = await waitUntilSettled(path, work.trust, work.signal)
  const recognisedId = await recognised(library, quick, look, work)
  if (recognisedId !== undefined) return recognisedId
  const ids = await library.alike(quick)
  if (ids.length === 0) {
    await onNew()
    if (await claimContent(library.videoFolder(quick), look)) return quick
    ids.push(quick)
  }
  const [likely = quick] = ids
  const whole = wholeFile(path, work, await library.find(likely))
  const unlike: string[] = []
  for (const id of ids) {
    const comparison = await compareContent(library.videoFolder(id), look, whole, work)
    if (comparison === 'yes') return id
    if (comparison === 'unlike') unlike.push(id)
  }
  await onNew()
  return asAnother(library, quick, await whole(), ids, unlike, work)
}

// The video that a file is known to be without reading all of it, if there is one. Writes nothing.
export async function recognise(library: Library, { path, bytes }: LocalFile, work: ContentWork) {
  const quick = await contentId(path, bytes)
  return recognised(library, quick, await waitUntilSettled(path, work.trust, work.signal), work)
}

async function recognised(library: Library, quick: string, look: FileLook, { trust }: ContentWork) {
  const isIt = async (id: string) => {
    const record = await readContentRecord(library.videoFolder(id))
    return typeof record === 'object' && isKnownLook(record, look, trust)
  }
  if (await isIt(quick)) return quick
  for (const id of await library.alike(quick)) if (id !== quick && (await isIt(id))) return id
  return undefined
}

async function asAnother(
  library: Library,
  quick: string,
  { sha256, look }: FullHash,
  ids: string[],
  unlike: string[],
  { watch }: ContentWork,
): Promise<string> {
  const id = `${quick}-${sha256.slice(0, 12)}`
  const why =
    unlike.length > 0
      ? `It cannot be shown that ${unlike.join(', ')} was made from this content`
      : `The content is not that of ${ids.join(', ')}, which was indexed before`
  watch({ type: 'note', text: `${why}: the file gets an index of its own, ${id}.` })
  await saveContent(library.videoFolder(id), sha256, [look])
  return id
}

// Which video of the library a file is now, by all of its bytes where it was touched since they were last read.
export async function contentNow(
  library: Library,
  given: string,
  settings: IndexSettings,
  signal: AbortSignal,
): Promise<string> {
  const { path, bytes } = await localFile(given)
  const lookWork = { trust: chooseTrust(settings), watch: () => {}, signal }
  const quick = await contentId(path, bytes)
  const look = await waitUntilSettled(path, lookWork.trust, signal)
  const whole = wholeFile(path, lookWork)
  for (const id of await library.alike(quick))
    if ((await compareContent(library.videoFolder(id), look, whole, lookWork)) === 'yes') return id
  return `${quick}-${(await whole()).sha256.slice(0, 12)}`
}
