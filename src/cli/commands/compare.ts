import { compareFolders } from '../../app/ablate.ts'
import { findRun } from '../../app/bench.ts'
import { studyLines } from '../ablate/study-lines.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const compare: CommandRun = async call => {
  const home = await call.home()
  const [a, b] = await Promise.all(call.arguments.map(given => findRun(given, call.world.cwd, home)))
  const { result: found } = await compareFolders(a, b, call.wholeNumber('--seed') ?? 1)
  result(
    call,
    () => ({ ...found }),
    () => studyLines(found, call.terminal),
  )
  return 0
}
export default compare
