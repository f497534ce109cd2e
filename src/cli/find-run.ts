import { UsageError } from '../core/errors.ts'
import { listRuns } from '../store/run/run-folder.ts'
import type { Call } from './call.ts'

// The run of this name, or the only one whose name begins so.
export async function findRun(call: Call, given: string): Promise<string> {
  const names = (await listRuns(await call.home())).map(run => run.id)
  const name = given.replace(/(?<![\\/])[\\/]+$/, '').replace(/^.*[\\/]/, '') // its folder will do too
  const fitting = names.includes(name) ? [name] : names.filter(one => one.startsWith(name))
  if (fitting.length === 1) return fitting[0]
  if (fitting.length === 0) throw new UsageError(`There is no run "${given}".`, { hint: 'See "longtake runs ls".' })
  throw new UsageError(`"${given}" is the beginning of ${fitting.length} runs.`, {
    hint: `Write more of it: ${fitting.slice(0, 4).join(', ')}.`,
  })
}
