import { Refused } from '../../../../src/core/api/problem.ts'
import type { Video } from '../../../../src/core/video.ts'
import { locateVideo } from '../../../../src/runtime/index/locate-video.ts'
import { filePolicy } from '../../../../src/runtime/index/plan-stages.ts'
import type { Uploads } from '../../../../src/store/serve/uploads.ts'
import type { Workplace } from '../workplace.ts'
import { outside, pathInFolder } from './find-video.ts'

// Takes a file of an allowed folder, or an upload, into the library; nothing is indexed.
export async function addServedVideo(
  { served, folders, uploads }: Workplace,
  { path = '', folder, upload }: { path?: string; folder?: number; upload?: string },
  signal: AbortSignal,
): Promise<Video> {
  const { library, settings } = served.runtime
  const real = upload === undefined ? await pathInFolder(folders, path, folder) : await pathOfUpload(uploads, upload)
  const checkPath = (found: string) => {
    if (upload === undefined && found !== real) throw outside() // a link has come there in between
  }
  return locateVideo(library, real, { ...filePolicy(settings.index), checkPath, watch: () => {}, signal })
}

async function pathOfUpload(uploads: Uploads, id: string): Promise<string> {
  const upload = await uploads.find(id)
  if (upload) return upload.path
  throw new Refused('unknown', 'There is no upload with this id.', 'POST /api/uploads sends one.')
}
