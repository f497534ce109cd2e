import { listRuns, readRun } from '../../store/run/run-folder.ts'
import { findRun } from '../find-run.ts'
import { result } from '../output.ts'
import { fileName, oneLine, safeJson } from '../sanitise.ts'
import { columns } from '../show/format.ts'
import type { CommandRun } from '../table/types.ts'

export const ls: CommandRun = async call => {
  const runs = await listRuns(await call.home())
  result(
    call,
    () => ({ runs }),
    () =>
      runs.length === 0 ? ['There are no runs yet.'] : columns(runs.map(run => [run.id, run.state, oneLine(run.name)])),
  )
  return 0
}

export const show: CommandRun = async call => {
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
