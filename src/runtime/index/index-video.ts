import { refuseMissing } from '../../search/vectors/index.ts'
import { recordWhole } from './content/guard.ts'
import { findWhole, type IndexedVideo, type IndexWork } from './find-index.ts'
import { chooseTrust } from './plan-stages.ts'

// Builds the missing stages and returns their locations. A complete index is returned without locking.
export async function indexVideo(work: IndexWork): Promise<IndexedVideo> {
  const { watch, signal } = work
  refuseMissing(work.settings.vectors)
  const content = { trust: chooseTrust(work.settings), watch, signal }
  const whole = await findWhole(work)
  if (!whole) return (await import('./build-index.ts')).buildIndex(work, content)
  await recordWhole(work.video, work.folder, content)
  return whole
}
