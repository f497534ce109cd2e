import { readRun } from '../../store/run-folder.ts'
import { findRun } from '../find-run.ts'
import { fileName, oneLine, safeJson } from '../sanitise.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const show: CommandRun = async call => {
  const run = await readRun(await call.home(), await findRun(call, call.arguments[0]))
  result(
    call,
    () => ({ run }),
    () => [
      `${run.id}: ${run.state}`,
      oneLine(run.name),
      `started ${run.started}, ${run.trace.length} events, in ${fileName(run.folder)}`,
      ...(run.summary === undefined ? [] : ['', safeJson(run.summary, 2)]),
    ],
  )
  return 0
}
export default show
