import { type ResolvedConfig, wordLayer } from '../../../config/resolve.ts'
import type { Layer, Tree } from '../../../config/tree.ts'
import type { Family, Host } from '../../../core/backend.ts'
import { roles } from '../role-families.ts'
import { choiceOf, textRoles } from './fill-roles.ts'
import { parseModelWord } from './model-word.ts'
import { ownSettings } from './own-settings.ts'

// The roles that the word of the settings will fill with a model that is to be fetched: its server need not have it yet.
export async function fetchedByWord(
  config: ResolvedConfig,
  environment: Host['environment'],
): Promise<Layer | undefined> {
  const { model = 'off' } = config.settings
  if (model === 'off') return undefined
  const { preset, url, model: name } = parseModelWord(model, environment)
  const chat: Family<unknown> = await roles.planner()
  if (name === undefined || !(await chat.load(preset.backend)).server?.fetches) return undefined
  const { isFree } = ownSettings(config.layers.slice(wordLayer(config.layers)))
  const filled = textRoles.filter(isFree).map(role => [role, choiceOf(role, { name, server: { preset, url } })])
  return { name: 'chosen', values: { models: Object.fromEntries(filled) as Tree }, place: () => `model ${model}` }
}
