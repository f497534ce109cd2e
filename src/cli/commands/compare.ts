import { compareFolders, writtenStudy } from '../../../eval/ablate/index.ts'
import { findRun } from '../../../eval/bench.ts'
import { studyLines } from '../ablate/study-lines.ts'
import { pathOption } from '../bench/paths.ts'
import { saveFile } from '../bench/save-file.ts'
import { result } from '../output.ts'
import type { CommandRun } from '../table/types.ts'

const compare: CommandRun = async call => {
  const home = await call.home()
  const [a, b] = await Promise.all(call.arguments.map(given => findRun(given, call.world.cwd, home)))
  const found = await compareFolders(a, b, call.wholeNumber('--seed') ?? 1)
  for (const form of ['html', 'md', 'tex', 'csv'] as const) {
    const path = pathOption(call, `--${form}`)
    if (path === undefined) continue
    await saveFile(`--${form}`, path, await writtenStudy(form, found))
    call.remark(`Written: ${path}`)
  }
  result(
    call,
    () => ({ ...found.result }),
    () => studyLines(found.result, call.terminal),
  )
  return 0
}
export default compare
