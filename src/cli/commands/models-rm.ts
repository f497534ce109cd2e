import { openManager } from '../models-manager.ts'
import { fileName } from '../sanitise.ts'
import { formatBytes } from '../show/bytes.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const remove: CommandRun = async call => {
  const manager = await openManager(call)
  const removed = await manager.remove()
  const bytes = removed.reduce((sum, model) => sum + model.bytes, 0)
  result(
    call,
    () => ({ bytes, removed }),
    () => [
      ...columns(removed.map(model => [fileName(model.model), formatBytes(model.bytes)])),
      `${formatBytes(bytes)} freed.`,
    ],
  )
  return 0
}
export default remove
