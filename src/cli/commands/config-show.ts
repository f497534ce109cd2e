import { leavesOf } from '../../config/tree.ts'
import { redactor } from '../../store/redact.ts'
import { oneLine } from '../sanitise.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const show: CommandRun = async call => {
  const config = await call.settings()
  const settings = redactor([])(config.settings)
  const origins = Object.fromEntries([...config.origins].map(([name, origin]) => [name, origin.place]))
  const rows = [...leavesOf(settings)].map(({ path, value }) => {
    const name = path.join('.')
    const row = [name, oneLine(typeof value === 'string' ? value : JSON.stringify(value))]
    return call.has('--origin') ? [...row, oneLine(origins[name] ?? 'default')] : row
  })
  result(
    call,
    () => ({ file: config.file, settings, origins: call.has('--origin') ? origins : undefined }),
    () => columns(rows),
  )
  return 0
}
export default show
