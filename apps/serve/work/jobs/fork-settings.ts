import { isHarmlessValue, selectTaste, shortList, showSettingName } from '../../../../src/config/layers/found-file.ts'
import type { Flags } from '../../../../src/config/layers/typed-layers.ts'
import { type ResolvedConfig, resolveConfig, withChosen } from '../../../../src/config/resolve.ts'
import type { Config } from '../../../../src/config/schema.ts'
import { leavesOf, type SettingPath, setAt, settingAt, type Tree } from '../../../../src/config/tree.ts'
import type { ForkSettings } from '../../../../src/core/api/job.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
import { UsageError } from '../../../../src/core/errors.ts'
import { isObject, stableJson } from '../../../../src/core/json.ts'
import type { Role } from '../../../../src/core/services.ts'
import { answeringRoles } from '../../../../src/runtime/ask/open-agent.ts'
import { resolveHere } from '../../../../src/runtime/models/resolve-here.ts'
import { checkNames, howToFill, isSelfContained, roles } from '../../../../src/runtime/models/role-families.ts'

interface ForkedFrom {
  run: string
  file: string // the settings of the run
  budget?: object // limits that the run folder names for its question
  asked?: Record<string, unknown> // limits that requests of this server have named for it
  settings: ForkSettings // that differ in its fork, by dotted name
  own: Config // of the server
  environment: Readonly<Record<string, string | undefined>>
}

const aheadRoles = 'planner|writer|verifier|vision|retranscribe|listen|detect|faces'
const ahead = new RegExp(String.raw`^(?:(?:policy|budget)\.\w+|models\.(${aheadRoles})(?:\.(backend|model))?)$`)

// The settings of a run with what its fork changes. That is what lies ahead of the fork and gives it no new power: what a settings
// file that was only found may set, the backend that this server has for a role, and another model of the server that a role asks
// already. Index, tools and permissions stay as they were, and a run that wants more than this server has is refused.
export async function forkedConfig(from: ForkedFrom): Promise<ResolvedConfig> {
  const { run, file, settings, own, environment, budget, asked = {} } = from
  const changes = await allowedChanges(settings, own)
  const resolved = await resolveHere({
    cwd: process.cwd(),
    environment: { ...environment, LONGTAKE_MODEL: undefined }, // is for new runs
    file,
    flags: { named: changes },
    given: { values: ofServer(own), place: 'this server' },
  })
  // The folder chooses nothing here: no word for a model, no search for servers.
  const name = resolved.settings.profile
  const config = withChosen(resolved, { name, why: 'the run was made with it' })
  for (const path of Object.keys(settings)) await checkRole(path, config.settings)
  const limits = { ...config.settings.budget, ...budget, ...forkBudget(settings) }
  const allowed = { ...own, budget: { ...own.budget, ...asked, ...forkBudget(settings) } }
  const beyond = await powersBeyond({ ...config.settings, budget: limits }, [own, allowed])
  if (beyond.length > 0) throw distrusted(run, beyond)
  return config
}

// The settings of the server with other models that answer, for one question: what a fork may choose of them.
export async function answeringConfig(settings: ForkSettings, own: Config): Promise<ResolvedConfig> {
  const other = Object.keys(settings).find(path => !path.startsWith('models.'))
  if (other !== undefined) throw withheld(other, own)
  const resolved = await resolveConfig({
    ...{ cwd: process.cwd(), environment: {}, search: false },
    given: { values: own, place: 'this server' },
    flags: { named: await allowedChanges(settings, own) },
  })
  const config = withChosen(resolved, { name: resolved.settings.profile, why: 'the question chose who answers' })
  for (const path of Object.keys(settings)) await checkRole(path, config.settings)
  return config
}

async function allowedChanges(settings: ForkSettings, own: Config) {
  const named = Object.entries(settings).map(([path, value]) => ({
    path,
    text: formatSetting(value),
    flag: 'the request',
  }))
  for (const { path, text } of named) if (!(await isAllowed(path, text, own))) throw withheld(path, own)
  return named.map(change => asServed(change, own))
}

// What no run has a say in: the sections of the server itself.
function ofServer({ prices, limits, fetch, serve, watch, make, judging, output, cluster, server }: Config): Tree {
  return { prices, limits, fetch, serve, watch, make, judging, output, cluster, ...(server && { server }) }
}

// The limits that a fork names, which stand over those of the question.
export function forkBudget(settings: ForkSettings): Record<string, number> {
  const named = Object.entries(settings).filter(([name]) => name.startsWith('budget.'))
  return Object.fromEntries(named.map(([name, value]) => [name.slice(7), Number(value)]))
}

function distrusted(run: string, beyond: readonly string[]): Refused {
  return new Refused(
    'conflict',
    `The run wants what this server was not started with: ${shortList(beyond.map(showSettingName))}.`,
    `If you trust the folder: longtake ask --resume ${run}, or longtake ask --fork ${run}.`,
  )
}

async function isAllowed(path: string, text: string, own: Config): Promise<boolean> {
  const [, role, setting = 'backend'] = ahead.exec(path) ?? []
  if (role !== undefined)
    return setting === 'model' || isServed(role as Role, text, own) || (await isHarmless(path, text))
  return ahead.test(path) && (await isHarmless(path, text))
}

async function isHarmless(path: string, text: string): Promise<boolean> {
  const values: Tree = {}
  setAt(values, path.split('.'), text, 'the fork')
  return (await selectTaste(values, isSelfContained)).withheld.length === 0
}

function isServed(role: Role, backend: string, own: Config): boolean {
  return own.models[role].backend === backend
}

// The backend that the server has for a role comes with its settings.
function asServed<Named extends NonNullable<Flags['named']>[number]>(change: Named, own: Config): Named {
  const [, role, setting = 'backend'] = ahead.exec(change.path) ?? []
  if (role === undefined || setting !== 'backend' || !isServed(role as Role, change.text, own)) return change
  return { ...change, path: `models.${role}`, text: JSON.stringify(own.models[role as Role]) }
}

// A question that could only fail is refused. Another model is one of the same server; any other backend could take its name for a file.
async function checkRole(path: string, { models }: Config): Promise<void> {
  const [, name, setting = 'backend'] = ahead.exec(path) ?? []
  if (name === undefined) return
  const role = name as Role
  const chosen = models[role]
  if (chosen.backend === 'off') {
    if (!answeringRoles.some(needed => needed === role)) return
    throw new UsageError(`No question is answered with models.${role} off.`, { hint: await howToFill(role) })
  }
  await checkNames(role, chosen)
  if (setting !== 'model') return
  const backend = await (await roles[role]()).load(chosen.backend)
  if (!backend.server)
    throw new UsageError(`models.${role} (${chosen.backend}) asks no server, so no request can give it another model.`)
}

function withheld(path: string, own: Config): UsageError {
  const role = ahead.exec(path)?.[1]
  return new UsageError(`A request cannot set ${JSON.stringify(path)}${role ? ' to that' : ''}.`, {
    hint: role
      ? `Allowed are "off", what needs no server and no file, and what this server uses: ${own.models[role as Role].backend}.`
      : `A fork sets policy.*, budget.* and models.ROLE of ${aheadRoles.replaceAll('|', ', ')}; index, tools and permissions stay. A question sets models.ROLE alone.`,
  })
}

function formatSetting(value: ForkSettings[string]): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const chosenBefore = ['profile', 'graph'] // names of built-in things, without power

// The names of the settings that want more than the server has: another tool, server, module, address, key, file or permission, or a
// higher limit. What only quality depends on, the default and what one of the `allowed` settings says is not more.
async function powersBeyond(wanted: Tree, allowed: readonly Config[]): Promise<string[]> {
  const { models, ...others } = wanted
  const beyond: string[] = []
  for (const { path, value } of leavesOf(others)) {
    const allowedValues = allowed.map(one => settingAt(one, path))
    if (chosenBefore.includes(path[0] ?? '') || isHarmlessValue(path, value, allowedValues)) continue
    if (!allowedValues.some(one => isSameOrPart(path, value, one))) beyond.push(path.join('.'))
  }
  for (const [role, choice] of Object.entries(isObject(models) ? models : {}))
    if (!(await isAllowedRole(role, choice as Tree, allowed))) beyond.push(`models.${role}`)
  return beyond
}

// Some of the server's tool files are no more than all of them.
function isSameOrPart(path: SettingPath, value: unknown, whole: unknown): boolean {
  if (path.join('.') === 'tools.files' && Array.isArray(value) && Array.isArray(whole))
    return value.every(one => whole.includes(one))
  return stableJson(value) === stableJson(whole)
}

// The choice of the server, another model of the same server, or a backend that reads nothing that settings name.
async function isAllowedRole(role: string, { model, ...choice }: Tree, allowed: readonly Config[]): Promise<boolean> {
  const backend = String(choice.backend)
  if (backend === 'off') return true
  for (const { models } of allowed) {
    const { model: ownModel, ...own }: Tree = models[role as keyof typeof roles]
    if (stableJson(choice) !== stableJson(own)) continue
    if (stableJson(model ?? null) === stableJson(ownModel ?? null)) return true
    if ((await (await roles[role as keyof typeof roles]()).load(backend)).server) return true
  }
  return model === undefined && Object.keys(choice).length === 1 && isSelfContained(role, backend)
}
