import { exportRun, findRun } from '../../../eval/bench.ts'
import { UsageError } from '../../core/errors.ts'
import { pathOption } from '../bench/paths.ts'
import { result } from '../output.ts'
import { fileName } from '../sanitise.ts'
import type { CommandRun } from '../table/types.ts'

const benchExport: CommandRun = async call => {
  const out = pathOption(call, '--out')
  if (out === undefined) throw new UsageError('--out is missing.', { hint: 'Name the folder for the files.' })
  const folder = await findRun(call.arguments[0], call.world.cwd, await call.home())
  const files = await exportRun({ folder, out, model: call.text('--name') })
  result(
    call,
    () => ({ run: folder, out, files }),
    () => [
      ...files.slice(0, 8).map(fileName),
      ...(files.length > 8 ? [`and ${files.length - 8} more`] : []),
      `Written to ${fileName(out)}.`,
    ],
  )
  return 0
}
export default benchExport
