import { type ResolvedConfig, wordLayer } from '../../../config/resolve.ts'
import type { SettingsLayer, Tree } from '../../../config/tree.ts'
import type { BackendFamily, Host } from '../../../core/backend.ts'
import { roles } from '../role-families.ts'
import { textRoles, toRoleChoice } from './fill-roles.ts'
import { parseModelWord } from './model-word.ts'
import { userSettings } from './own-settings.ts'

// The roles that the word of the settings will fill with a model that is to be fetched: its server need not have it yet.
export async function fetchedByWord(
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
  return { name: 'chosen', values: { models: Object.fromEntries(filled) as Tree }, place: () => `model ${model}` }
}
