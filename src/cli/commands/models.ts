import type { ModelState, ModelsManager, PullPlan, PullProgress } from '../../app/models/models-manager.ts'
import type { Call } from '../call.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { fileName, oneLine } from '../sanitise.ts'
import { columns, formatBytes } from '../show/format.ts'
import type { CommandRun } from '../table/types.ts'

export const list: CommandRun = async call => {
  const manager = await openManager(call)
  const models = await manager.list()
  result(
    call,
    () => ({ profile: manager.profile, models: models.map(stateEntry) }),
    () => [
      ...(models.length === 0 ? [`The profile ${manager.profile} needs no models.`] : []),
      ...columns(
        models.map(({ model, state, bytes, missing, note }) => [
          fileName(model.name),
          model.kind,
          state,
          bytes > 0 ? formatBytes(bytes) : '',
          model.roles.join(', '),
          oneLine(note ?? (state === 'partial' ? `lacks ${missing.join(', ')}` : '')),
        ]),
      ),
      ...(models.some(({ state }) => state === 'missing' || state === 'partial')
        ? [`To fetch what is missing: longtake models pull ${manager.profile}`]
        : []),
    ],
  )
  return 0
}

function stateEntry({ model, ...state }: ModelState): object {
  return { ...model, ...state }
}

export const path: CommandRun = async call => {
  const manager = await openManager(call)
  const here = (await manager.list()).flatMap(({ model, folder }) => (folder ? [{ name: model.name, folder }] : []))
  result(
    call,
    () => ({ models: here }),
    () => {
      if (here.length === 0) return ['None of the models is here yet.']
      return columns(here.map(({ name, folder }) => [fileName(name), fileName(folder)]))
    },
  )
  return 0
}

export const pull: CommandRun = async call => {
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

export const rm: CommandRun = async call => {
  const manager = await openManager(call)
  const removed = await manager.remove()
  const bytes = removed.reduce((sum, model) => sum + model.bytes, 0)
  result(
    call,
    () => ({ bytes, removed }),
    () => [
      ...columns(removed.map(model => [fileName(model.model), formatBytes(model.bytes)])),
      `${formatBytes(bytes)} freed.`,
    ],
  )
  return 0
}

export const verify: CommandRun = async call => {
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

// The models that a call of "longtake models" is about.
async function openManager(call: Call): Promise<ModelsManager> {
  const { openModelsManager } = await import('../../app/models/models-manager.ts')
  return openModelsManager(call.arguments, {
    config: await call.settings(),
    home: await call.home(),
    environment: call.world.environment,
    signal: call.signal,
    say: line => call.remark(line),
  })
}
