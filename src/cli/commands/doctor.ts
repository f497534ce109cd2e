import type { DoctorReport } from '../../core/runtime.ts'
import { exitCodes } from '../fail.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { formatBytes } from '../show/bytes.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const doctor: CommandRun = async call => {
  const runtime = await call.runtime()
  const report = await runtime.doctor()
  result(
    call,
    () => report,
    () => reportLines(report),
  )
  return report.healthy ? exitCodes.ok : exitCodes.backend
}
export default doctor

function reportLines({ healthy, profile, node, programs, roles, home }: DoctorReport): string[] {
  const mends = [...programs, ...roles].flatMap(part => (part.mend ? [part.mend] : []))
  return [
    `longtake with profile ${profile} is ${healthy ? 'ready' : 'not ready'}.`,
    '',
    ...columns([
      ['node', 'ready', node],
      ...programs.map(program => [program.name, program.state, oneLine(program.version ?? program.mend ?? '')]),
      ['data', home.writable ? 'ready' : 'not writable', `${fileName(home.path)}, ${formatBytes(home.free)} free`],
    ]),
    '',
    ...columns(roles.map(role => [role.role, role.state, role.backend, oneLine(role.detail)])),
    ...(mends.length > 0 ? ['', 'To mend it:', ...[...new Set(mends)].map(mend => `  ${oneLine(mend)}`)] : []),
  ]
}
