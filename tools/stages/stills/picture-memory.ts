import type { IndexSettings } from '../../../src/core/settings.ts'
import type { Video } from '../../../src/core/video.ts'
import { fittingSize } from '../../../src/media/ffmpeg/filters.ts'
import { stillsAtOnce } from './over-stills.ts'

// What a stage over stills takes besides its backend, MB. `enlarged`: the width that small ones are enlarged to.
export function pictureMegabytes(
  { video: { picture }, settings }: { video: Video; settings: IndexSettings },
  enlarged?: number,
): number {
  if (!picture) return 25
  const { width, height } = fittingSize(picture, settings.stillWidth)
  const frame = (width * height * 3) / 1e6
  // A frame as it is decoded, as it is copied, and made smaller or larger.
  const larger = enlarged ? Math.max(1, enlarged / width) ** 2 : 1
  return 70 + stillsAtOnce(16) * frame * 3 * larger
}
