import { listTools } from '../../app/tools/tools.ts'
import { exitCodes } from '../fail.ts'
import { oneLine } from '../sanitise.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const toolList: CommandRun = async call => {
  const { settings } = await call.settings()
  const tools = await listTools(settings, {
    home: await call.home(),
    environment: call.world.environment,
    signal: call.signal,
    say: line => call.remark(line),
  })
  result(
    call,
    () => ({ sets: settings.tools.sets, tools }),
    () => [
      ...columns(
        tools.map(({ name, from, state, danger, description }) => [
          name,
          from,
          danger ? `${state} (${danger})` : state,
          oneLine(description.split(/(?<=[.;:])\s/)[0]),
        ]),
      ),
      '',
      'Choose with --set tools.sets=core|longshot|all; permit with --set permissions.NAME=on.',
    ],
  )
  return exitCodes.ok
}
export default toolList
