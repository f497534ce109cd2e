import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import type { ModelState, ModelsManager, PullPlan } from '../../runtime/models/models-manager.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { alignColumns, formatBytes } from '../show/format.ts'
import { pullProgress } from '../show/pull-progress.ts'

const list: CommandRun = async call => {
  const manager = await openManager(call)
  const models = await manager.list()
  const isLacking = models.some(({ state }) => state === 'missing' || state === 'partial')
  result(call, { profile: manager.profile, models: models.map(({ model, ...state }) => ({ ...model, ...state })) }, [
    ...(models.length === 0 ? [`The profile ${manager.profile} needs no models.`] : []),
    ...alignColumns(models.map(stateRow)),
    ...(isLacking ? [`To fetch what is missing: longtake models pull ${manager.profile}`] : []),
  ])
  return 0
}

function stateRow({ model, state, bytes, missing, note }: ModelState): string[] {
  const remark = note ?? (state === 'partial' ? `lacks ${missing.join(', ')}` : '')
  const size = bytes > 0 ? formatBytes(bytes) : ''
  return [visibleFileName(model.name), model.kind, state, size, model.roles.join(', '), visibleLine(remark)]
}

const path: CommandRun = async call => {
  const manager = await openManager(call)
  const here = (await manager.list()).flatMap(({ model, folder }) => (folder ? [{ name: model.name, folder }] : []))
  const rows = here.map(({ name, folder }) => [visibleFileName(name), visibleFileName(folder)])
  result(call, { models: here }, rows.length === 0 ? ['None of the models is here yet.'] : alignColumns(rows))
  return 0
}

const pull: CommandRun = async call => {
  const manager = await openManager(call)
  const plans = await manager.plan({ update: call.has('--update') })
  const bytes = plans.reduce((sum, plan) => sum + plan.bytes, 0)
  const dryRun = call.has('--dry-run')
  const planned = plans.length > 0 ? [...alignColumns(plans.map(planRow)), `${formatBytes(bytes)} to fetch.`] : []
  if (!dryRun) {
    for (const line of planned) call.remark(line)
    await manager.pull(plans, pullProgress(call))
    call.terminal.draw([])
  }
  const here = plans.length === 1 ? 'The model is here.' : `All ${plans.length} models are here.`
  const lines = dryRun ? planned : [here]
  const none = [`The profile ${manager.profile} needs no models.`]
  const document = { profile: manager.profile, dryRun, bytes, models: plans.map(entry) }
  result(call, document, plans.length === 0 ? none : lines)
  return 0
}

function planRow({ model, files, bytes }: PullPlan): string[] {
  const whole = files.reduce((sum, { file }) => sum + file.bytes, 0)
  const size = model.kind === 'hub' ? `${formatBytes(bytes)} of ${formatBytes(whole)}` : 'as reported by Ollama'
  return [visibleFileName(model.name), size, model.roles.join(', ')]
}

function entry({ model, commit, files, bytes }: PullPlan): object {
  const { kind, name, roles } = model
  const listed = files.map(({ file, here }) => ({ path: file.path, bytes: file.bytes, here }))
  return { kind, name, roles, commit, bytes, files: listed }
}

const rm: CommandRun = async call => {
  const manager = await openManager(call)
  const removed = await manager.remove()
  const bytes = removed.reduce((sum, model) => sum + model.bytes, 0)
  const rows = removed.map(model => [visibleFileName(model.model), formatBytes(model.bytes)])
  result(call, { bytes, removed }, [...alignColumns(rows), `${formatBytes(bytes)} freed.`])
  return 0
}

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
  const verdict = bad.length === 0 ? 'none is damaged or missing.' : `${bad.length} are damaged or missing.`
  result(call, { profile: manager.profile, bytes, files }, [
    `${files.length} files, ${formatBytes(bytes)}: ${verdict}`,
    ...bad.map(({ model, path, state }) => `${visibleFileName(model)} ${visibleLine(path)}: ${state}`),
    ...(unknown.length > 0 ? [`${unknown.length} files have no recorded checksum.`] : []),
    ...(bad.length > 0 ? [`To fetch them again: longtake models pull ${manager.profile}`] : []),
  ])
  return bad.length > 0 ? exitCodes.storage : exitCodes.ok
}

// The models that a call of "longtake models" is about.
async function openManager(call: Call): Promise<ModelsManager> {
  const { openModelsManager } = await import('../../runtime/models/models-manager.ts')
  return openModelsManager(call.arguments, { ...(await call.host()), config: await call.settings() })
}

export const modelsCommands = { list, path, pull, rm, verify }
