import type { IndexSettings } from '../../../core/settings.ts'
import { contentId } from '../../../media/file/content-id.ts'
import { settled } from '../../../media/file/file-look.ts'
import { localFile } from '../../../media/file/local-file.ts'
import type { Library } from '../../../store/library/library.ts'
import { trustOf } from '../plan-stages.ts'
import { compareContent, wholeFile } from './compare.ts'

// Which video of the library a file is now, by all of its bytes where it was touched since they were last read.
export async function contentNow(
  library: Library,
  given: string,
  settings: IndexSettings,
  signal: AbortSignal,
): Promise<string> {
  const { path, bytes } = await localFile(given)
  const work = { trust: trustOf(settings), watch: () => {}, signal }
  const quick = await contentId(path, bytes)
  const look = await settled(path, work.trust, signal)
  const whole = wholeFile(path, work)
  for (const id of await library.alike(quick))
    if ((await compareContent(library.videoFolder(id), look, whole, work)) === 'yes') return id
  return `${quick}-${(await whole()).sha256.slice(0, 12)}`
}
