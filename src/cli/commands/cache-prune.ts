import { UsageError } from '../../core/errors.ts'
import { prune } from '../../store/cache.ts'
import { openLibrary } from '../../store/library.ts'
import type { Call } from '../call.ts'
import { fileName } from '../sanitise.ts'
import { formatBytes } from '../show/bytes.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const run: CommandRun = async call => {
  const olderThanDays = days(call)
  const maxBytes = size(call)
  const dryRun = call.has('--dry-run')
  if (olderThanDays === undefined && maxBytes === undefined)
    throw new UsageError('Say what may go.', {
      hint: 'For example --older 30d, or --max 50GB; --dry-run only shows it.',
    })
  const report = await prune(openLibrary(await call.home()), { olderThanDays, maxBytes, dryRun })
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
export default run

const dayUnits: Record<string, number> = { m: 1 / 1440, h: 1 / 24, d: 1, w: 7, y: 365 }
const byteUnits = ['', 'k', 'm', 'g', 't']

function days(call: Call): number | undefined {
  const text = call.text('--older')
  if (text === undefined) return undefined
  const match = /^(\d+(?:\.\d+)?)\s*([mhdwy])$/i.exec(text.trim())
  if (match) return Number(match[1]) * dayUnits[match[2].toLowerCase()]
  throw new UsageError(`--older "${text}" is no length of time.`, { hint: 'Write it as 30d, 12h or 6w.' })
}

// "50GB" counts in thousands, "50GiB" in 1024s.
function size(call: Call): number | undefined {
  const text = call.text('--max')
  if (text === undefined) return undefined
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?$/i.exec(text.trim())
  if (match) return Number(match[1]) * (match[3] ? 1024 : 1000) ** byteUnits.indexOf(match[2].toLowerCase())
  throw new UsageError(`--max "${text}" is no size.`, { hint: 'Write it as 50GB, 500MB or 2GiB.' })
}
