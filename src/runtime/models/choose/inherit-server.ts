import { openaiServer } from '../../../../models/http/openai.ts'
import { profiles, roleNames } from '../../../config/profiles.ts'
import { type Chosen, type ResolvedConfig, withChosen } from '../../../config/resolve.ts'
import type { Tree } from '../../../config/tree.ts'
import type { Host } from '../../../core/backend.ts'
import { type LongtakeError, UsageError } from '../../../core/errors.ts'
import type { Role } from '../../../core/services.ts'
import { type RoleChoice, type RoleChoices, roles } from '../role-families.ts'
import { fillRoles, inWords, type ModelCandidate, sayFilled, toRoleChoice, wordRoles } from './fill-roles.ts'
import { parseModelWord } from './model-word.ts'
import { tryWord } from './open-word.ts'
import { chosenLayer, userSettings } from './own-settings.ts'

interface Inherited {
  chosen: Chosen
  fault?: LongtakeError
}

// The setting `server` for every role whose backend asks an OpenAI-compatible server and names no url itself; with profile "auto" for
// the free chat roles too. Roles that name no model get one of its list; those that it cannot fill are embedded, which is said.
export async function inheritServer(config: ResolvedConfig, laid: Chosen, host: Host): Promise<Inherited> {
  const { server = {}, profile } = config.settings
  const { url, apiKeyEnv } = server
  if (url === undefined) return { chosen: laid }
  const { models } = withChosen(config, laid).settings
  const laidSettings = userSettings([...config.layers, ...(laid.word ? [laid.word] : [])])
  const added = profile === 'auto' ? wordRoles.filter(laidSettings.isFree) : []
  const asking: Role[] = []
  for (const role of roleNames)
    if (!added.includes(role) && models[role].url === undefined && (await asksServer(role, models[role])))
      asking.push(role)
  const nested: Role[] = []
  for (const role of roleNames) if (await nestedAsksServer(models[role])) nested.push(role)
  if (added.length + asking.length + nested.length === 0) return unused(config, laid, host)

  const common = { url, ...(apiKeyEnv && { apiKeyEnv }) }
  const unnamed = asking.filter(role => models[role].model === undefined)
  const needsList =
    added.length + unnamed.length > 0 || nested.some(role => findChat(models[role])?.model === undefined)
  const word = { ...parseModelWord(url, host.environment), model: server.model }
  const isTyped = config.origins.get('server.url')?.layer === 'flag'
  const { opened, fault } = needsList ? await tryWord(word, host, server, isTyped) : {}
  const over: RoleChoices = {}
  const inherited: Tree = {}
  const without: Role[] = []
  const filled = opened ? await fillRoles(opened, new Set([...added, ...unnamed])) : {}
  for (const role of added) if (filled[role]) over[role] = toRoleChoice(role, filled[role])
  for (const role of asking) {
    const choice = unnamed.includes(role) && opened ? (filled[role] ?? otherModel(role, opened.models)) : undefined
    if (unnamed.includes(role) && opened && !choice && laidSettings.isFree(role)) {
      over[role] = profiles.embedded[role]
      without.push(role)
    } else
      inherited[role] = unset(models[role], { ...common, ...(choice && { ...toRoleChoice(role, choice), ...common }) })
  }
  for (const role of nested) {
    const model = opened?.sees ?? opened?.text
    inherited[role] = { chat: unset(findChat(models[role]) ?? {}, { ...common, ...(model && { model: model.name }) }) }
  }
  const filledText = sayFilled(filled)
  const lacking =
    without.length > 0
      ? `it has no model for ${inWords(without)}, which ${without.length > 1 ? 'are' : 'is'} embedded`
      : ''
  const why = [filledText, lacking, fault && `server.url cannot be used: ${fault.message}`].filter(Boolean).join('; ')
  const base = laid.over?.values.models as Tree | undefined
  const isAuto = Object.keys(over).some(role => added.includes(role as Role))
  return {
    fault,
    chosen: {
      ...laid,
      name: isAuto ? 'auto' : laid.name,
      why: [laid.why, why].filter(Boolean).join('; '),
      over: chosenLayer({ ...base, ...over }, laid.over?.place([]) ?? `server ${url}`),
      inherited: chosenLayer(inherited, 'server'),
    },
  }
}

function unset(set: Record<string, unknown>, wanted: Record<string, unknown>): Tree {
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => set[name] === undefined))
}

// What transcribes or embeds, for the roles of which each server has at most a few.
function otherModel(role: Role, models: readonly ModelCandidate[]): ModelCandidate | undefined {
  const fits: Partial<Record<Role, (model: ModelCandidate) => boolean | undefined>> = {
    transcribe: model => model.transcribes,
    retranscribe: model => model.transcribes,
    embedText: model => model.embeds,
    listen: model => model.hears,
  }
  return models.find(model => fits[role]?.(model))
}

async function asksServer(role: Role, { backend }: RoleChoice): Promise<boolean> {
  const family = await roles[role]()
  return family.names.includes(backend) && (await family.load(backend)).server === openaiServer
}

function findChat(choice: RoleChoice): RoleChoice | undefined {
  const { chat } = choice as { chat?: RoleChoice }
  return typeof chat?.backend === 'string' ? chat : undefined
}

async function nestedAsksServer(choice: RoleChoice): Promise<boolean> {
  const chat = findChat(choice)
  return chat !== undefined && chat.url === undefined && (await asksServer('planner', chat))
}

// As a setting of a role that is off.
function unused({ origins }: ResolvedConfig, laid: Chosen, host: Host): Inherited {
  const why = 'no role asks an OpenAI-compatible server that it does not name itself'
  const { layer, place } = origins.get('server.url') ?? {}
  if (layer === 'flag')
    throw new UsageError(`server.url has no effect: ${why} (profile ${laid.name}).`, {
      hint: 'Use --profile remote, --profile auto, or --model with the address.',
    })
  host.say(`server.url in ${place} has no effect: ${why} (profile ${laid.name}).`)
  return { chosen: laid }
}
