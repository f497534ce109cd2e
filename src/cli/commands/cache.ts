import { UsageError } from '../../core/errors.ts'
import { formatTime } from '../../core/time.ts'
import { prune as pruneResults, usage, type VideoUsage, verify as verifyResults } from '../../store/library/cache.ts'
import { openLibrary } from '../../store/library/library.ts'
import type { Call } from '../call.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { columns, formatBytes } from '../show/format.ts'
import type { CommandRun } from '../table/types.ts'

export const ls: CommandRun = async call => {
  const videos = await openLibrary(await call.home()).list()
  result(
    call,
    () => ({ videos: videos.map(({ id, name, path, duration, bytes }) => ({ id, name, path, duration, bytes })) }),
    () => {
      if (videos.length === 0) return ['No video is known yet.']
      return columns(
        videos.map(({ id, name, path, duration }) => [id, formatTime(duration), fileName(name), fileName(path)]),
      )
    },
  )
  return 0
}

export const du: CommandRun = async call => {
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

// Damaged results are moved away by it, so that the next command makes them anew.
export const verify: CommandRun = async call => {
  const draw = (done: number, total: number) => {
    if (call.terminal.live && !call.has('--quiet'))
      call.terminal.draw([`  ${formatBytes(done)} of ${formatBytes(total)}`])
  }
  const library = openLibrary(await call.home())
  const { settings } = await call.settings()
  const { contentNow } = await import('../../app/index/content/content-now.ts')
  const contentId = (path: string) => contentNow(library, path, settings.index, call.signal)
  const report = await verifyResults(library, { contentId, watch: draw, signal: call.signal })
  call.terminal.draw([])
  result(
    call,
    () => report,
    () => [
      `${report.stages} results, ${formatBytes(report.bytes)}: ${report.damaged.length === 0 ? 'all whole.' : `${report.damaged.length} damaged.`}`,
      ...report.damaged.map(
        found => `${found.video} ${found.stage}: ${oneLine(found.reason)}; moved to ${oneLine(found.movedTo)}`,
      ),
      ...report.newer.map(oneLine),
      ...report.replaced.map(({ video, path, reason }) => `${video}: ${oneLine(path)} has changed: ${reason}`),
      ...(report.damaged.length > 0 ? ['What is damaged is made again when it is next needed.'] : []),
    ],
  )
  return report.damaged.length > 0 ? exitCodes.storage : exitCodes.ok
}

export const prune: CommandRun = async call => {
  const olderThanDays = days(call)
  const maxBytes = size(call)
  const dryRun = call.has('--dry-run')
  if (olderThanDays === undefined && maxBytes === undefined)
    throw new UsageError('Say what may go.', {
      hint: 'For example --older 30d, or --max 50GB; --dry-run only shows it.',
    })
  const report = await pruneResults(openLibrary(await call.home()), { olderThanDays, maxBytes, dryRun })
  result(
    call,
    () => ({ dryRun, ...report }),
    () => [
      ...columns(
        report.freed.map(({ video, name, what, bytes }) => [formatBytes(bytes), what, video, fileName(name ?? '')]),
      ),
      ...report.inUse.map(id => `${id} is in use and stays.`),
      `${formatBytes(report.bytesFreed)} ${dryRun ? 'would be freed' : 'freed'}, ${formatBytes(report.bytesLeft)} left.`,
    ],
  )
  return 0
}

const dayUnits: Record<string, number> = { m: 1 / 1440, h: 1 / 24, d: 1, w: 7, y: 365 }
const byteUnits = ['', 'k', 'm', 'g', 't']

function days(call: Call): number | undefined {
  const text = call.text('--older')
  if (text === undefined) return undefined
  const match = /^(\d+(?:\.\d+)?)\s*([mhdwy])$/i.exec(text.trim())
  if (match) return Number(match[1]) * dayUnits[match[2].toLowerCase()]
  throw new UsageError(`--older must be a duration, not "${text}".`, { hint: 'Write it as 30d, 12h or 6w.' })
}

// "50GB" counts in thousands, "50GiB" in 1024s.
function size(call: Call): number | undefined {
  const text = call.text('--max')
  if (text === undefined) return undefined
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?$/i.exec(text.trim())
  if (match) return Number(match[1]) * (match[3] ? 1024 : 1000) ** byteUnits.indexOf(match[2].toLowerCase())
  throw new UsageError(`--max must be a size, not "${text}".`, { hint: 'Write it as 50GB, 500MB or 2GiB.' })
}
