import type { PullPlan, PullProgress } from '../../app/models/models-manager.ts'
import type { Call } from '../call.ts'
import { openManager } from '../models-manager.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { formatBytes } from '../show/bytes.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const pull: CommandRun = async call => {
  const manager = await openManager(call)
  const plans = await manager.plan({ update: call.has('--update') })
  const bytes = plans.reduce((sum, plan) => sum + plan.bytes, 0)
  const dryRun = call.has('--dry-run')
  const planned = plans.length > 0 ? [...columns(plans.map(planRow)), `${formatBytes(bytes)} to fetch.`] : []
  if (!dryRun) {
    for (const line of planned) call.remark(line)
    await manager.pull(plans, progressOn(call))
    call.terminal.draw([])
  }
  result(
    call,
    () => ({ profile: manager.profile, dryRun, bytes, models: plans.map(entry) }),
    () => {
      if (plans.length === 0) return [`The profile ${manager.profile} needs no models.`]
      return dryRun ? planned : [`All ${plans.length === 1 ? 'is' : `${plans.length} models are`} here.`]
    },
  )
  return 0
}
export default pull

function planRow({ model, files, bytes }: PullPlan): string[] {
  const whole = files.reduce((sum, { file }) => sum + file.bytes, 0)
  const size = model.kind === 'hub' ? `${formatBytes(bytes)} of ${formatBytes(whole)}` : 'as Ollama says'
  return [fileName(model.name), size, model.roles.join(', ')]
}

function entry({ model, commit, files, bytes }: PullPlan): object {
  const { kind, name, roles } = model
  const listed = files.map(({ file, here }) => ({ path: file.path, bytes: file.bytes, here }))
  return { kind, name, roles, commit, bytes, files: listed }
}

// On a terminal one line that changes, elsewhere a line for each tenth of a file.
function progressOn(call: Call): (progress: PullProgress) => void {
  let last = ''
  return ({ model, path, done, total }) => {
    if (call.has('--quiet')) return
    const share = total ? Math.floor((done / total) * (call.terminal.live ? 1000 : 10)) : 0
    const step = `${model} ${path} ${share}`
    if (step === last) return
    last = step
    const size = total ? `${formatBytes(done)} of ${formatBytes(total)}` : formatBytes(done)
    const line = `  ${fileName(model)} ${oneLine(path)}: ${size}`
    if (call.terminal.live) call.terminal.draw([line])
    else if (total && done === total) call.terminal.say(line)
  }
}
