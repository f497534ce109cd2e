import { exitCodes } from '../fail.ts'
import { oneLine } from '../sanitise.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const doctorGpu: CommandRun = async call => {
  const { examineGpu } = await import('../../app/models/doctor/gpu.ts')
  const { environment } = call.world
  const report = await examineGpu({ folder: '', environment, signal: call.signal, say: line => call.remark(line) })
  result(
    call,
    () => report,
    () => [
      `An NVIDIA card ${report.ready ? 'runs' : 'does not run'} the models here.`,
      '',
      ...columns(report.steps.map(step => [step.what, step.state, oneLine(step.detail)])),
      ...report.steps.flatMap(step => (step.mend ? ['', `${step.what}: ${step.mend}`] : [])),
    ],
  )
  return report.ready ? exitCodes.ok : exitCodes.backend
}
export default doctorGpu
