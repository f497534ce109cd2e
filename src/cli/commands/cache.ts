import { UsageError } from '../../core/errors.ts'
import { formatTime } from '../../core/time.ts'
import { countPhrase } from '../../core/words/counted.ts'
import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import { pruneCache, usage, type VideoUsage, verifyCache } from '../../store/library/cache.ts'
import { openLibrary } from '../../store/library/library.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { alignColumns, formatBytes } from '../show/format.ts'

const longestName = 48 // columns: one long name does not move the paths of all

const ls: CommandRun = async call => {
  const videos = await openLibrary(await call.home()).list()
  const document = videos.map(({ id, name, path, duration, bytes }) => ({ id, name, path, duration, bytes }))
  const rows = videos.map(({ id, name, path, duration }) => [
    id,
    formatTime(duration),
    visibleFileName(name),
    visibleFileName(path),
  ])
  result(call, { videos: document }, rows.length === 0 ? ['No video is known yet.'] : alignColumns(rows, longestName))
  return 0
}

const du: CommandRun = async call => {
  const home = await call.home()
  const videos = await usage(openLibrary(home))
  const bytes = videos.reduce((sum, video) => sum + video.bytes, 0)
  const rows = videos.map(video => [
    formatBytes(video.bytes),
    video.lastUsed.toISOString().slice(0, 10),
    video.id,
    visibleFileName(video.video?.name ?? '(damaged record)'),
  ])
  const total = `${formatBytes(bytes)} in ${visibleFileName(home)}, ${countPhrase(videos.length, 'video')}`
  result(call, { home, bytes, videos: videos.map(entry) }, [...alignColumns(rows), total])
  return 0
}

function entry({ id, video, bytes, quarantine, lastUsed, stages }: VideoUsage): object {
  return {
    ...{ id, name: video?.name, bytes, quarantine, lastUsed: lastUsed.toISOString() },
    stages: stages.map(({ stage, key, bytes, meta }) => ({ stage, key, bytes, by: meta?.by })),
  }
}

// Moves damaged results away, so that the next command makes them again.
const verify: CommandRun = async call => {
  const draw = (done: number, total: number) => {
    if (call.terminal.live && !call.has('--quiet'))
      call.terminal.draw([`  ${formatBytes(done)} of ${formatBytes(total)}`])
  }
  const library = openLibrary(await call.home())
  const { settings } = await call.settings()
  const { contentNow } = await import('../../runtime/index/content/identify.ts')
  const contentId = (path: string) => contentNow(library, path, settings.index, call.signal)
  const report = await verifyCache(library, { contentId, watch: draw, signal: call.signal })
  call.terminal.draw([])
  const { damaged, newer, replaced, stages, bytes } = report
  result(call, report, [
    `${stages} results, ${formatBytes(bytes)}: ${damaged.length === 0 ? 'none is damaged.' : `${damaged.length} damaged.`}`,
    ...damaged.map(
      found => `${found.video} ${found.stage}: ${visibleLine(found.reason)}; moved to ${visibleLine(found.movedTo)}`,
    ),
    ...newer.map(visibleLine),
    ...replaced.map(({ video, path, reason }) => `${video}: ${visibleLine(path)} has changed: ${reason}`),
    ...(damaged.length > 0 ? ['Damaged results are made again when they are next needed.'] : []),
  ])
  return damaged.length > 0 ? exitCodes.storage : exitCodes.ok
}

const prune: CommandRun = async call => {
  const olderThanDays = days(call)
  const maxBytes = size(call)
  const dryRun = call.has('--dry-run')
  if (olderThanDays === undefined && maxBytes === undefined)
    throw new UsageError('--older or --max is missing.', {
      hint: 'For example --older 30d, or --max 50GB; --dry-run only shows what would be removed.',
    })
  const report = await pruneCache(openLibrary(await call.home()), { olderThanDays, maxBytes, dryRun })
  const { freed, inUse, bytesFreed, bytesLeft } = report
  result(call, { dryRun, ...report }, [
    ...alignColumns(
      freed.map(({ video, name, what, bytes }) => [formatBytes(bytes), what, video, visibleFileName(name ?? '')]),
    ),
    ...inUse.map(id => `${id} is in use and stays.`),
    `${formatBytes(bytesFreed)} ${dryRun ? 'would be freed' : 'freed'}, ${formatBytes(bytesLeft)} left.`,
  ])
  return 0
}

const dayUnits: Record<string, number> = { m: 1 / 1440, h: 1 / 24, d: 1, w: 7, y: 365 }

function days(call: Call): number | undefined {
  const text = call.text('--older')
  if (text === undefined) return undefined
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([mhdwy])$/i.exec(text.trim()) ?? []
  const inDays = dayUnits[unit.toLowerCase()]
  if (inDays !== undefined) return Number(count) * inDays
  throw new UsageError(`--older must be a duration, not "${text}".`, { hint: 'Write it as 30d, 12h or 6w.' })
}

// "50GB" counts in thousands, "50GiB" in 1024s.
function size(call: Call): number | undefined {
  const text = call.text('--max')
  if (text === undefined) return undefined
  const [, count, unit = '', binary] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?$/i.exec(text.trim()) ?? []
  if (count !== undefined) return Number(count) * (binary ? 1024 : 1000) ** ' kmgt'.indexOf(unit.toLowerCase() || ' ')
  throw new UsageError(`--max must be a size, not "${text}".`, { hint: 'Write it as 50GB, 500MB or 2GiB.' })
}

export const cacheCommands = { ls, du, verify, prune }
