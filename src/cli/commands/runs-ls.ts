import { listRuns } from '../../store/run-folder.ts'
import { oneLine } from '../sanitise.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const ls: CommandRun = async call => {
  const runs = await listRuns(await call.home())
  result(
    call,
    () => ({ runs }),
    () =>
      runs.length === 0 ? ['There are no runs yet.'] : columns(runs.map(run => [run.id, run.state, oneLine(run.name)])),
  )
  return 0
}
export default ls
