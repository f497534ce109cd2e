import { keysSet, keyVariable } from '../../../../models/http/presets.ts'
import type { ProfileName } from '../../../config/profiles.ts'
import { type Chosen, type ResolvedConfig, withChosen, wordLayer } from '../../../config/resolve.ts'
import type { Config } from '../../../config/schema.ts'
import type { Host } from '../../../core/backend.ts'
import { isThisMachine } from '../../../core/basics/address.ts'
import type { LongtakeError } from '../../../core/errors.ts'
import { refuseSettingsOfOff } from '../off-roles.ts'
import { findPrice } from '../prices.ts'
import { isSelfContained, type RoleChoice, type RoleChoices } from '../role-families.ts'
import { type AutoChoice, chooseAuto } from './auto.ts'
import { type Filled, fillRoles, inWords, sayFilled, sayUnfilled, toRoleChoices, wordRoles } from './fill-roles.ts'
import { inheritServer } from './inherit-server.ts'
import { type ModelWord, parseModelWord } from './model-word.ts'
import { tryWord } from './open-word.ts'
import { chosenLayer, userSettings } from './own-settings.ts'

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
    // What auto has not found does not matter if a word was given.
    why: [named?.why && base.name === 'embedded' && isAuto ? '' : base.why, named?.why].filter(Boolean).join('. '),
    over: chosenLayer(base.roles, `auto: ${base.why}`),
    word: named?.roles && chosenLayer(named.roles, `model ${model}`),
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

interface ByWord {
  roles?: RoleChoices
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
  const { opened, fault } = await tryWord(word, host, settings.server, layers[at]?.name === 'flag')
  if (!opened) return { why: `Model ${word.word} cannot be used: ${fault.message}`, fault }
  const filled = await fillRoles(opened, free)
  const why = `${sayFilled(filled)}${sayUnfilled(filled, free)}${among(opened.others)}${leaving(filled)}`
  return { roles: toRoleChoices(filled), why }
}

function among(others: number): string {
  return others > 0 ? ` (the best of ${others + 1} models there)` : ''
}

function leaving(filled: Filled): string {
  const hosts = Object.values(filled).flatMap(({ server, elsewhere }) => {
    const url = new URL(server.url)
    if (!isThisMachine(url.hostname)) return [url.host]
    return elsewhere ? [`wherever ${url.host} sends them on`] : []
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

const capableFrom = 8 // billions of parameters
const plannerFrom = 3

type Planner = 'capable' | 'toolless' | 'usual' | 'small' | 'rules'

const graphs: Record<Planner, string> = {
  capable: 'converse',
  toolless: 'investigate',
  usual: 'investigate',
  small: 'retrieve-and-write',
  rules: 'investigate',
}

// The graph that `graph: auto` stands for: capable models that call tools answer in one conversation, small ones put into words what rules found,
// and all others follow the policies of `investigate`.
export function withGraph(config: ResolvedConfig): ResolvedConfig {
  const { settings } = config
  if (settings.graph !== 'auto') return config
  return { ...config, settings: { ...settings, graph: graphFor(settings.models.planner) } }
}

export function graphFor(planner: RoleChoice): string {
  return graphs[describePlanner(planner)]
}

function describePlanner(planner: RoleChoice): Planner {
  const { backend, folder, file } = planner
  const model = folder && file ? file : planner.model // in a folder of one's own the name of the file says what it is
  if (['rules', 'off'].includes(backend) || typeof model !== 'string') return 'rules'
  const size = parseBillions(model)
  if (size !== undefined && size < plannerFrom) return 'small'
  if (!isCapable(model)) return 'usual'
  return callsTools(planner) ? 'capable' : 'toolless'
}

// `toolMode` is "schema" where a trial or the server said that the model calls no tools, and where somebody set it.
function callsTools({ toolMode = 'auto' }: RoleChoice): boolean {
  return toolMode === 'auto' || toolMode === 'native'
}

// By the size that the name says, else by the families whose members are all large.
function isCapable(model: string): boolean {
  const size = parseBillions(model)
  return size === undefined ? largeFamilies.test(model.toLowerCase()) : size >= capableFrom
}

function parseBillions(model: string): number | undefined {
  const name = model.toLowerCase()
  const [, size, unit] = /(?<![a-z0-9.])e?(\d+(?:\.\d+)?)(b|m)(?![a-z0-9])/.exec(name) ?? []
  return size === undefined ? undefined : Number(size) / (unit === 'm' ? 1000 : 1)
}

const largeFamilies =
  /(?:^|[/:])(?:gpt-[4-9]|o[1-9](?:-|$)|claude|gemini|grok|glm-[4-9]|kimi|deepseek-(?:v|r|chat|reasoner)|mistral-(?:large|medium)|qwen[\d.]*-(?:max|plus)|command-a)/

const ways: Record<Exclude<Planner, 'rules'>, string> = {
  capable: 'it is large and calls tools, so it answers in one conversation (graph converse)',
  toolless:
    'its server takes no tool calls, so code steers the search and checks (graph investigate; --graph converse overrides it)',
  usual: 'it is below 8B or of unknown size, so code steers the search and checks (graph investigate)',
  small: 'it is below 3B, so rules search and check and it puts what they found into words (graph retrieve-and-write)',
}

// For who named a model: how it answers, and what a higher effort would add and cost.
export function effortAdvice(asked: ResolvedConfig, chosen: ResolvedConfig): string | undefined {
  const { model } = asked.settings
  if (model === undefined || model === 'off') return undefined
  const { models, budget, effort, index } = chosen.settings
  const planner = describePlanner(models.planner)
  if (planner === 'rules') return undefined
  const how = asked.settings.graph === 'auto' ? `${models.planner.model}: ${ways[planner]}. ` : ''
  if (effort === 'high' || effort === 'max') return how.trim() || undefined
  const extras = [
    ...(models.vision.backend !== 'off' && index.captions.mode === 'off' ? ['captions'] : []),
    ...(typeof models.writer.model === 'string' && index.overview === 'extract' ? ['a written overview'] : []),
  ].join(' and ')
  const extraCost =
    extras && `${extras} of each video ("longtake index VIDEO --effort high --dry-run" says what they cost), `
  return `${how}--effort high adds ${extraCost}up to 512 frames and 400,000 tokens${describePrice(chosen.settings)} a question (now ${budget.frames} and ${budget.tokens.toLocaleString('en-US')})`
}

function describePrice(settings: Config): string {
  const price = findPrice(settings, 'planner')
  return price ? `, at most ${((Math.max(price.input, price.output) * 400_000) / 1e6).toFixed(2)} by your prices,` : ''
}
