import { usage, type VideoUsage } from '../../store/cache.ts'
import { openLibrary } from '../../store/library.ts'
import { fileName } from '../sanitise.ts'
import { formatBytes } from '../show/bytes.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const du: CommandRun = async call => {
  const home = await call.home()
  const videos = await usage(openLibrary(home))
  const bytes = videos.reduce((sum, video) => sum + video.bytes, 0)
  result(
    call,
    () => ({ home, bytes, videos: videos.map(entry) }),
    () => [
      ...columns(
        videos.map(video => [
          formatBytes(video.bytes),
          lastUsed(video).slice(0, 10),
          video.id,
          fileName(video.video?.name ?? '(damaged record)'),
        ]),
      ),
      `${formatBytes(bytes)} in ${fileName(home)}, ${videos.length} ${videos.length === 1 ? 'video' : 'videos'}`,
    ],
  )
  return 0
}
export default du

function entry(video: VideoUsage): object {
  const stages = video.stages.map(({ stage, key, bytes, meta }) => ({ stage, key, bytes, by: meta?.by }))
  return {
    id: video.id,
    name: video.video?.name,
    bytes: video.bytes,
    quarantine: video.quarantine,
    lastUsed: lastUsed(video),
    stages,
  }
}

function lastUsed(video: VideoUsage): string {
  return video.lastUsed.toISOString()
}
