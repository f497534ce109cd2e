import { errorText } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { readBounded } from '../../src/core/machine/read-bounded.ts'
import type { Stage } from '../../src/core/stage.ts'
import type { Video } from '../../src/core/video.ts'
import { type FileLook, isSettledLook, lookAt, looksSame } from '../../src/media/file/file-look.ts'
import { isOutsideLink } from '../../src/media/file/sidecars.ts'
import { maxSubtitleBytes, subtitleReader } from '../../src/media/subtitles/parse-subtitles.ts'
import { labelsIn } from '../../src/media/subtitles/speaker-labels.ts'
import { writeSubtitles } from './results.ts'

// The cues of every subtitle file and track. It is made before the others are planned: whether it found words decides where the
// speech comes from.
const subtitles: Stage = {
  name: 'subtitles',
  version: 2,
  by: subtitleReader,
  after: [],
  source: true,
  skip({ video, settings }) {
    if (settings.subtitles === 'ignore') return 'index.subtitles is "ignore"'
    if (!settings.tracks.speech) return 'index.tracks.speech is off'
    return video.sidecars.length === 0 && video.subtitles.length === 0 && 'the video has no subtitles'
  },
  settings: ({ video }) => ({ streams: video.subtitles.map(stream => stream.index) }),
  files: async ({ video }) => ({
    sidecars: (await Promise.all(video.sidecars.map(path => sidecarHash(path, video)))).join(' '),
  }),
  async make({ out, video, signal }) {
    const { readSubtitles } = await import('../../src/media/subtitles/read-subtitles.ts')
    await writeSubtitles(out, await readSubtitles(video, signal))
  },
}
export default subtitles

// A file that will not be read counts by what is known of it from outside. It is asked for several times whenever a video is opened.
async function sidecarHash(path: string, video: Video): Promise<string> {
  try {
    if (await isOutsideLink(path, video)) return 'leads out of the folder'
    const look = await lookAt(path)
    if (look.bytes > maxSubtitleBytes) return `${look.bytes} bytes`
    const before = hashes.get(path)
    if (before && looksSame(before.look, look, 'all')) return before.hash
    const hash = await hashSubtitles(path)
    if (hashes.size >= maxHashes) hashes.clear()
    if (isSettledLook(look, 'all')) hashes.set(path, { look, hash })
    return hash
  } catch (error) {
    return `unreadable: ${errorText(error)}`
  }
}

const hashes = new Map<string, { look: FileLook; hash: string }>()
const maxHashes = 10_000

async function hashSubtitles(path: string): Promise<string> {
  const bytes = await readBounded(path, maxSubtitleBytes)
  // Before names in capitals were read, such a file gave other cues.
  const { size: labels } = labelsIn(bytes.toString('utf8'))
  return `${contentHash(bytes)}${labels > 0 ? ' with labels' : ''}`
}
