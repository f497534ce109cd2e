import { type ProfileName, profileNames } from '../../config/profiles.ts'
import { type ResolvedConfig, withChosen, wordLayer } from '../../config/resolve.ts'
import type { SettingsLayer } from '../../config/tree.ts'
import type { BackendFamily, Host } from '../../core/backend.ts'
import { UsageError, unknownName } from '../../core/errors.ts'
import { textRoles, toRoleChoice } from './choose/fill-roles.ts'
import { parseModelWord } from './choose/model-word.ts'
import { chosenLayer, userSettings } from './choose/own-settings.ts'
import { buildHost, type HostOptions } from './host.ts'
import type { DownloadProgress } from './manager/fetch-file.ts'
import { type PullPlan, planPull, pullModels, remove } from './manager/pull.ts'
import { inspectModel, type ModelState, type VerifiedFile, verifyModel } from './manager/state.ts'
import { type ModelWish, type WantedFiles, wantedModels } from './manager/wanted-models.ts'
import { refuseSettingsOfOff } from './off-roles.ts'
import { roles } from './role-families.ts'

export type { DownloadProgress, ModelState, PullPlan }

export interface ModelsManager {
  profile: ProfileName
  list(): Promise<ModelState[]>
  plan(options: { update: boolean }): Promise<PullPlan[]>
  pull(plans: readonly PullPlan[], onProgress: (progress: DownloadProgress) => void): Promise<void>
  verify(onBytes: (bytes: number) => void): Promise<VerifiedFile[]>
  remove(): Promise<{ model: string; bytes: number }[]>
}

// The models of a profile. `names` narrows them down: a profile, roles, or models by name.
export async function openModelsManager(
  names: readonly string[],
  options: HostOptions & { config: ResolvedConfig },
): Promise<ModelsManager> {
  const { home } = options
  const host = buildHost(options)
  const named = names.find(name => (profileNames as string[]).includes(name)) as ProfileName | undefined
  const set = options.config.settings.profile
  const profile = named ?? (set === 'auto' ? 'local' : set) // "auto" takes what is there, so it needs nothing fetched
  const word = await fetchedByWord(options.config, host.environment)
  const config = withChosen(options.config, { name: profile, why: '', word })
  await refuseSettingsOfOff(config, host.say)
  const { settings } = config
  const all = await wantedModels(settings.models, host)
  const otherNames = names.filter(name => name !== named)
  const models = narrowed(all, otherNames)
  const files = models.filter((model): model is WantedFiles => model.kind === 'hub')
  return {
    profile,
    list: () => Promise.all(models.map(model => inspectModel(model, host))),
    plan: ({ update }) => planPull(models, { home, host, update, onProgress() {} }),
    pull: (plans, onProgress) => pullModels(plans, { home, host, update: false, onProgress }),
    verify: onBytes => verifyModel(files, home, host, onBytes),
    async remove() {
      if (names.length === 0)
        throw new UsageError('Name the models to remove.', {
          hint: 'A name from "longtake models list", or a profile.',
        })
      const freed: { model: string; bytes: number }[] = []
      for (const model of files) freed.push({ model: model.name, bytes: await remove(model, home, host) })
      return freed
    },
  }
}

function narrowed(models: ModelWish[], names: readonly string[]): ModelWish[] {
  if (names.length === 0) return models
  for (const name of names) {
    if (models.some(model => model.name === name || model.roles.includes(name))) continue
    throw unknownName('model', name, [...models.map(model => model.name), ...profileNames, ...Object.keys(roles)])
  }
  return models.filter(model => names.includes(model.name) || model.roles.some(role => names.includes(role)))
}

// The roles that the word of the settings will fill with a model that is to be fetched: its server need not have it yet.
async function fetchedByWord(
  config: ResolvedConfig,
  environment: Host['environment'],
): Promise<SettingsLayer | undefined> {
  const { model = 'off' } = config.settings
  if (model === 'off') return undefined
  const { preset, url, model: name } = parseModelWord(model, environment)
  const chat: BackendFamily<unknown> = await roles.planner()
  if (name === undefined || !(await chat.load(preset.backend)).server?.fetches) return undefined
  const { isFree } = userSettings(config.layers.slice(wordLayer(config.layers)))
  const filled = textRoles.filter(isFree).map(role => [role, toRoleChoice(role, { name, server: { preset, url } })])
  return chosenLayer(Object.fromEntries(filled), `model ${model}`)
}
