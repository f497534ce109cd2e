import { UsageError } from '../../core/errors.ts'
import { listRuns, readRun } from '../../store/run-folder.ts'
import type { Call } from '../call.ts'
import { fileName, oneLine, safeJson } from '../sanitise.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const show: CommandRun = async call => {
  const run = await readRun(await call.home(), await findRun(call))
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

// The run of this name, or the only one whose name begins so.
async function findRun(call: Call): Promise<string> {
  const given = call.arguments[0]
  const names = (await listRuns(await call.home())).map(run => run.id)
  const fitting = names.includes(given) ? [given] : names.filter(name => name.startsWith(given))
  if (fitting.length === 1) return fitting[0]
  if (fitting.length === 0) throw new UsageError(`There is no run "${given}".`, { hint: 'See "longtake runs ls".' })
  throw new UsageError(`"${given}" is the beginning of ${fitting.length} runs.`, {
    hint: `Write more of it: ${fitting.slice(0, 4).join(', ')}.`,
  })
}
