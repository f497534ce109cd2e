import { exitCodes } from '../fail.ts'
import { openManager } from '../models-manager.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { formatBytes } from '../show/bytes.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const verify: CommandRun = async call => {
  const manager = await openManager(call)
  let bytes = 0
  const files = await manager.verify(more => {
    bytes += more
    if (call.terminal.live && !call.has('--quiet')) call.terminal.draw([`  ${formatBytes(bytes)} read`])
  })
  call.terminal.draw([])
  const bad = files.filter(({ state }) => state === 'damaged' || state === 'missing')
  const unknown = files.filter(({ state }) => state === 'unknown')
  result(
    call,
    () => ({ profile: manager.profile, bytes, files }),
    () => [
      `${files.length} files, ${formatBytes(bytes)}: ${bad.length === 0 ? 'none is damaged or missing.' : `${bad.length} are damaged or missing.`}`,
      ...bad.map(({ model, path, state }) => `${fileName(model)} ${oneLine(path)}: ${state}`),
      ...(unknown.length > 0 ? [`Of ${unknown.length} files nothing says what they should be.`] : []),
      ...(bad.length > 0 ? [`To fetch them again: longtake models pull ${manager.profile}`] : []),
    ],
  )
  return bad.length > 0 ? exitCodes.storage : exitCodes.ok
}
export default verify
