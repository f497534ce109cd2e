import { keysSet, keyVariable } from '../../../../models/http/presets.ts'
import type { ResolvedConfig } from '../../../config/resolve.ts'
import type { Host } from '../../../core/backend.ts'
import { isSelfContained } from '../role-families.ts'
import { inWords, wordRoles } from './fill-roles.ts'

// Where nothing was configured and the rules answer: which key is set, and what using it would mean. A key is never used without
// having been chosen.
export async function unusedKey(
  asked: ResolvedConfig,
  chosen: ResolvedConfig,
  host: Host,
): Promise<string | undefined> {
  if (asked.settings.profile !== 'auto') return undefined
  const [first] = keysSet(host.environment)
  if (!first) return undefined
  const { models, budget, prices } = chosen.settings
  const used = wordRoles.filter(role => models[role].backend !== 'off')
  for (const role of used) if (!(await isSelfContained(role, models[role].backend))) return undefined
  const keys = keysSet(host.environment).map(preset => keyVariable(preset, host.environment) ?? '')
  const { host: place } = new URL(first.url)
  const tokens = budget.tokens.toLocaleString('en-US')
  const known = Object.entries(prices).filter(
    ([name]) => name === first.backend || name.startsWith(`${first.backend}/`),
  )
  const dearest = Math.max(...known.map(([, { input, output }]) => Math.max(input, output)))
  const money = known.length > 0 ? `, ${((budget.tokens * dearest) / 1e6).toFixed(2)} by your prices` : ''
  return `${inWords(keys)} ${keys.length === 1 ? 'is' : 'are'} set and not used: the rules of the install answer. --model ${first.name}/NAME or "longtake setup" uses a model; questions, words and frames of the video then go to ${place}, at most ${tokens} tokens a question (budget.tokens)${money}.`
}
