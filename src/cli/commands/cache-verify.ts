import { verify } from '../../store/cache.ts'
import { openLibrary } from '../../store/library.ts'
import { exitCodes } from '../fail.ts'
import { oneLine } from '../sanitise.ts'
import { formatBytes } from '../show/bytes.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

// Damaged results are moved away by it, so that the next command makes them anew.
const run: CommandRun = async call => {
  const draw = (done: number, total: number) => {
    if (call.terminal.live && !call.has('--quiet'))
      call.terminal.draw([`  ${formatBytes(done)} of ${formatBytes(total)}`])
  }
  const library = openLibrary(await call.home())
  const { settings } = await call.settings()
  const { contentNow } = await import('../../app/index/content/content-now.ts')
  const contentId = (path: string) => contentNow(library, path, settings.index, call.signal)
  const report = await verify(library, { contentId, watch: draw, signal: call.signal })
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
export default run
