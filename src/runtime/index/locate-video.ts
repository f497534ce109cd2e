import { isAddress, publicAddress } from '../../core/basics/address.ts'
import { InputError } from '../../core/errors.ts'
import { isVideoId, type Video } from '../../core/video.ts'
import { lookAt } from '../../media/file/file-look.ts'
import { localFile } from '../../media/file/local-file.ts'
import { findSidecars } from '../../media/file/sidecars.ts'
import { fetchedBy, readFetchedAddress } from '../../store/fetched.ts'
import { claimContent } from '../../store/library/content-record.ts'
import type { Library } from '../../store/library/library.ts'
import { exists } from '../../store/read-file.ts'
import { uploadName } from '../../store/serve/uploads.ts'
import type { ContentWork } from './content/compare.ts'
import { isUnchanged, refuseChanged } from './content/guard.ts'
import { identify } from './content/identify.ts'
import type { FrozenVideo } from './frozen-index.ts'

interface LocateWork extends ContentWork {
  maxHours: number // longest video that is accepted
  checkPath?(real: string): void // refuses a file by where it lies, once its links are resolved
  elsewhere?: Pick<VideosElsewhere, 'find' | 'fetch'>
}

// Videos that other machines know and have the files of.
export interface VideosElsewhere {
  find(id: string): Promise<Video | undefined>
  fetch?(video: Video): Promise<string | undefined> // its file, here; left out if it is not needed
  asIndexed(id: string): Promise<FrozenVideo | undefined> // with the subtitle files beside it there
}

// The video at a path, or the known one with this id. A file that was probed before is not probed again, even after it was moved.
export async function locateVideo(library: Library, given: string, work: LocateWork): Promise<Video> {
  if (isVideoId(given) && !(await exists(given))) {
    const knownVideo = await knownHereOrElsewhere(library, given, work)
    if (knownVideo) {
      await refuseChanged(knownVideo, library.videoFolder(given), work)
      return accepted(knownVideo, work.maxHours)
    }
    if (await library.isDamaged(given))
      throw new InputError(`The record of the video ${given} is damaged.`, {
        hint: 'Name its file: what was indexed of it is found again.',
      })
  }
  const file = await localFile(isAddress(given) ? await fetchedPath(library, given) : given)
  work.checkPath?.(file.path)
  let probed: Video | undefined
  const probeOnce = async () => {
    probed ??= await (await import('../../media/probe/probe.ts')).probe(given, { maxHours: work.maxHours })
    work.checkPath?.(probed.path)
    return probed
  }
  const id = await identify(library, file, work, async () => void (await probeOnce()))
  const storedVideo = await library.find(id)
  if (!storedVideo && (await library.isDamaged(id)))
    work.watch({ type: 'note', text: `The record of the video ${id} was damaged; its file is probed again.` })
  const name = await uploadName(library.home, file.path)
  if (storedVideo && name !== undefined && (await isWhereItWas(library, storedVideo, work)))
    return accepted(storedVideo, work.maxHours)
  const address = (await readFetchedAddress(library.home, file.path)) ?? storedVideo?.address
  const video: Video = storedVideo
    ? {
        ...(await accepted(storedVideo, work.maxHours)),
        path: file.path,
        name: file.name,
        sidecars: await findSidecars(file.path, file.name),
      }
    : { ...(await probeOnce()), id }
  const located = { ...video, ...(address !== undefined && { address }), ...(name !== undefined && { name }) }
  await library.save(located)
  return located
}

// The video of an id, with a file where one is to be had.
async function knownHereOrElsewhere(
  library: Library,
  id: string,
  { elsewhere }: LocateWork,
): Promise<Video | undefined> {
  const here = await library.find(id)
  const knownVideo = here ?? (await elsewhere?.find(id))
  if (!knownVideo || !elsewhere || (await exists(knownVideo.path))) return knownVideo
  const path = await elsewhere.fetch?.(knownVideo)
  if (path === undefined && here) return here
  const video =
    path === undefined ? knownVideo : { ...knownVideo, path, sidecars: await findSidecars(path, knownVideo.name) }
  await library.save(video)
  // It has just been compared with the id; from now on its look says that it is the same.
  if (path !== undefined) await claimContent(library.videoFolder(id), await lookAt(path))
  return video
}

// A copy that a client sends of a known file is that file: its name, its subtitles and its index stay.
async function isWhereItWas(library: Library, known: Video, work: ContentWork): Promise<boolean> {
  return (await exists(known.path)) && isUnchanged(known, library.videoFolder(known.id), work)
}

// An address is fetched by commands that say so, and never on the way to something else.
async function fetchedPath(library: Library, address: string): Promise<string> {
  const fetchedVideo = await fetchedBy(library.home, address)
  if (fetchedVideo) return fetchedVideo.path
  const shownAddress = publicAddress(address)
  throw new InputError(`${shownAddress} has not been fetched.`, {
    hint: `Fetch it with: longtake index ${shownAddress}`,
  })
}

// One that was probed when more was accepted, or by a version that accepted anything.
async function accepted(known: Video, maxHours: number): Promise<Video> {
  if (known.duration <= maxHours * 3600) return known
  const { tooLong } = await import('../../media/probe/accepted-length.ts')
  throw tooLong(known.name, known.duration, maxHours)
}
