import { keysSet, keyVariable } from '../../../../models/http/presets.ts'
import type { ProfileName } from '../../../config/profiles.ts'
import { type Chosen, type ResolvedConfig, withChosen, wordLayer } from '../../../config/resolve.ts'
import type { SettingsLayer, Tree } from '../../../config/tree.ts'
import type { Host } from '../../../core/backend.ts'
import { LongtakeError } from '../../../core/errors.ts'
import type { Role } from '../../../core/services.ts'
import { refuseSettingsOfOff } from '../off-roles.ts'
import type { RoleChoice } from '../role-families.ts'
import { isSelfContained } from '../role-families.ts'
import { type AutoChoice, chooseAuto } from './auto.ts'
import { effortAdvice, withGraph } from './choose-graph.ts'
import { type Filled, fillRoles, inWords, sayFilled, sayUnfilled, toRoleChoice, wordRoles } from './fill-roles.ts'
import { inheritServer } from './inherit-server.ts'
import { keyOfAddress, type ModelWord, parseModelWord } from './model-word.ts'
import { openWord } from './open-word.ts'
import { userSettings } from './own-settings.ts'

export interface ChosenModels {
  config: ResolvedConfig
  profile: { name: 'auto' | ProfileName; why: string }
  unusedKey?: string // a sentence for who asks a question
  advice?: string // likewise: how the model that was named answers, and what more effort would bring
  fault?: LongtakeError // what keeps questions from being answered; the rest goes without
}

// The model of each role, here and now: what "auto", `model` and `server` stand for. Settings for which that was done are
// not chosen for again.
export async function chooseModels(config: ResolvedConfig, host: Host): Promise<ChosenModels> {
  const chosen = await chooseRoles(config, host)
  return { ...chosen, config: withGraph(chosen.config), advice: effortAdvice(config, chosen.config) }
}

async function chooseRoles(config: ResolvedConfig, host: Host): Promise<ChosenModels> {
  const { chosen: done } = config
  if (done) {
    const whole = withChosen(config, done)
    await refuseSettingsOfOff(whole, host.say)
    return { config: whole, profile: { name: done.name, why: done.why } }
  }
  const { settings } = config
  const model = isOverruled(config) ? 'off' : (settings.model ?? 'off')
  const word = model === 'off' ? undefined : parseModelWord(model, host.environment)
  const base = await chooseProfile(config, host, word === undefined)
  const named = word ? await fillByWord(config, word, host) : undefined
  const isAuto = settings.profile === 'auto'
  const laid: Chosen = {
    name: base.name,
    // What auto has not found is no news where a word was given.
    why: [named?.why && base.name === 'embedded' && isAuto ? '' : base.why, named?.why].filter(Boolean).join('. '),
    over: buildLayer(base.roles, `auto: ${base.why}`),
    word: named?.roles && buildLayer(named.roles, `model ${model}`),
  }
  const { chosen, fault } = await inheritServer(config, laid, host)
  const whole = withChosen(config, chosen)
  await refuseSettingsOfOff(whole, host.say)
  const profile = { name: chosen.name, why: chosen.why }
  return { config: whole, profile, unusedKey: await unusedKey(config, whole, host), fault: named?.fault ?? fault }
}

async function chooseProfile(config: ResolvedConfig, host: Host, seeksServers: boolean): Promise<AutoChoice> {
  const { profile, server } = config.settings
  if (profile !== 'auto') return { name: profile, why: 'it was asked for', roles: {} }
  return chooseAuto(userSettings(config.layers), host, seeksServers && server?.url === undefined)
}

// A profile that is set above the word is meant without it: --profile embedded asks nobody, whatever the settings file says.
function isOverruled({ layers }: ResolvedConfig): boolean {
  return layers.findLastIndex(({ values }) => values.profile !== undefined) > wordLayer(layers)
}

function buildLayer(roles: Partial<Record<Role, RoleChoice>>, place: string): SettingsLayer | undefined {
  if (Object.keys(roles).length === 0) return undefined
  return { name: 'chosen', values: { models: roles as Tree }, place: () => place }
}

interface ByWord {
  roles?: Partial<Record<Role, RoleChoice>>
  why: string
  fault?: LongtakeError
}

// The chat roles that the word fills: those that its own layer and the layers above it leave free. A word that was typed is tried at
// once; with one of a settings file, what needs no model goes on without.
async function fillByWord(config: ResolvedConfig, word: ModelWord, host: Host): Promise<ByWord> {
  const { layers, settings } = config
  const at = wordLayer(layers)
  const laterSettings = userSettings(layers.slice(at))
  const free = new Set(wordRoles.filter(laterSettings.isFree))
  if (free.size === 0) return { why: '' }
  try {
    const opened = await openWord(word, host, keyOfAddress(word, settings.server))
    const filled = await fillRoles(opened, free)
    const roles = Object.fromEntries(
      Object.entries(filled).map(([role, model]) => [role, toRoleChoice(role as Role, model)]),
    )
    return { roles, why: `${sayFilled(filled)}${sayUnfilled(filled, free)}${among(opened.others)}${leaving(filled)}` }
  } catch (error) {
    if (!(error instanceof LongtakeError) || layers[at]?.name === 'flag') throw error
    return { why: `Model ${word.word} cannot be used: ${error.message}`, fault: error }
  }
}

function among(others: number): string {
  return others > 0 ? ` (the best of ${others + 1} models there)` : ''
}

function leaving(filled: Filled): string {
  const hosts = Object.values(filled).flatMap(({ server, elsewhere }) => {
    const { hostname, host } = new URL(server.url)
    const isHere = /^(localhost|127\..*|\[::1\])$/.test(hostname)
    return isHere && !elsewhere ? [] : [isHere ? `wherever ${new URL(server.url).host} sends them on` : host]
  })
  return hosts.length === 0 ? '' : `. Questions, words and frames go to ${[...new Set(hosts)].join(' and ')}`
}

// Where nothing was configured and the rules answer: which key is set, and what using it would mean. A key is never used without
// having been chosen.
export async function unusedKey(
  asked: ResolvedConfig,
  chosen: ResolvedConfig,
  host: Host,
): Promise<string | undefined> {
  const { profile, model = 'off', server } = asked.settings
  if (profile !== 'auto' || model !== 'off' || server?.url !== undefined) return undefined
  const [first] = keysSet(host.environment)
  if (!first) return undefined
  const { models, budget, prices } = chosen.settings
  const used = wordRoles.filter(role => models[role].backend !== 'off')
  for (const role of used) if (!(await isSelfContained(role, models[role].backend))) return undefined
  const keys = keysSet(host.environment).map(preset => keyVariable(preset, host.environment) ?? '')
  const { host: place } = new URL(first.url)
  const tokens = budget.tokens.toLocaleString('en-US')
  const knownPrices = Object.entries(prices).filter(
    ([name]) => name === first.backend || name.startsWith(`${first.backend}/`),
  )
  const dearest = Math.max(...knownPrices.map(([, { input, output }]) => Math.max(input, output)))
  const money = knownPrices.length > 0 ? `, ${((budget.tokens * dearest) / 1e6).toFixed(2)} by your prices` : ''
  return `${inWords(keys)} ${keys.length === 1 ? 'is' : 'are'} set and not used: the rules of the install answer. --model ${first.name}/NAME or "longtake setup" uses a model; questions, words and frames of the video then go to ${place}, at most ${tokens} tokens a question (budget.tokens)${money}.`
}
