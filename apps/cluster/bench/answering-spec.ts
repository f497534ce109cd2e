import type { AskedBy } from '../../../eval/data/asked-by.ts'
import { AnsweringSpec } from '../../../eval/runner/run-spec.ts'
import { roleNames } from '../../../src/config/profiles.ts'
import { type ResolvedConfig, resolveConfig } from '../../../src/config/resolve.ts'
import { Config } from '../../../src/config/schema.ts'
import type { Tree } from '../../../src/config/tree.ts'
import type { Host } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { contentHash, stableJson } from '../../../src/core/json.ts'
import type { Role } from '../../../src/core/services.ts'
import { type FrozenIndex, readyHere, whyNotHere } from '../../../src/runtime/index/frozen-index.ts'
import { addLocalSettings, stripLocalSettings } from '../../../src/runtime/models/result-settings.ts'
import type { StageNeed } from '../data/catalogue/videos.ts'
import type { Resource } from '../data/job.ts'
import type { Sql } from '../data/sql.ts'

const allRoles = roleNames as readonly Role[]

// Which workers may ask: those with the same graph, models, tools and limits of a question.
export function questionRequirements({ settings, models }: AnsweringSpec, by: AskedBy): StageNeed {
  const { graph, policy, budget, tools, permissions, prices } = Config.partial().parse(settings)
  const backend = by === 'alone' ? 'frames' : String(graph)
  const { servers = {}, ...own } = tools ?? {}
  const tooling = { ...own, servers: Object.keys(servers).sort() }
  const hash = contentHash({ policy, budget, tooling, permissions, prices, chosen: models.chosen }).slice(0, 8)
  const resource: Resource = models.chosen[by === 'alone' ? 'vision' : 'planner']?.runs ?? 'cpu'
  return { queue: `ask.${backend}.${hash}`, stage: 'ask', backend, version: hash, resource }
}

// Whether this machine can ask the questions of a queue: all runs that use one are asked with the same.
export async function servesQuestions(
  sql: Sql,
  need: StageNeed,
  { own, host }: { own: Config; host: Host },
): Promise<string | true> {
  if (need.stage !== 'ask') return `this longtake has no work "${need.stage}"`
  const { rows } = await sql.query<{ config: unknown }>(
    `select run.config from longtake.run join longtake.request on request.config = run.id
     where request.kind = 'bench' and request.state = 'open' and run.environment ->> 'queue' = $1 limit 1`,
    [need.queue],
  )
  if (rows.length === 0) return 'no run asks its questions now'
  const asking = AnsweringSpec.safeParse(rows[0]?.config).data
  if (!asking) return 'its run was begun by another version'
  return (await whyNotAsked(asking, own, host)) ?? true
}

// Settings that name a file or a program: they count only where this machine says the same.
const places = ['module', 'export', 'folder', 'file', 'path', 'people', 'languageModel', 'dictionary', 'packageFolder']

// Why the questions of a run cannot be asked here; undefined if they can.
async function whyNotAsked(asking: AnsweringSpec, own: Config, host: Host): Promise<string | undefined> {
  const { permissions, tools } = Config.parse(asking.settings)
  for (const [name, wanted] of Object.entries(permissions))
    if (wanted && !own.permissions[name as keyof typeof permissions]) return `permissions.${name} is off here`
  const server = Object.keys(tools.servers).find(name => !Object.hasOwn(own.tools.servers, name))
  if (server !== undefined) return `tools.servers.${server} is not set here`
  const other = await whyOtherModels(asking, own)
  if (other !== undefined) return other
  const ready = await readyHere(asking.models, own.models, host)
  const missing = Object.entries(ready).find(([, found]) => found !== true)
  return missing && `models.${missing[0]}: ${missing[1]}`
}

// What of the models of a run would lead elsewhere than those of this machine.
async function whyOtherModels(asking: AnsweringSpec, own: Config): Promise<string | undefined> {
  for (const [role, choice] of Object.entries(asking.models.models)) {
    const mine: Record<string, unknown> = own.models[role as Role]
    const other = places.find(
      place => choice[place] !== undefined && stableJson(choice[place]) !== stableJson(mine[place]),
    )
    if (other !== undefined) return `models.${role}.${other} is another one here`
    const why = await whyNotHere(role as Role, choice, own.models)
    if (why !== undefined) return why
  }
  return undefined
}

// The settings of the run with what belongs to this machine. Asked for once more here: a row may put a job into any queue.
export async function resolveFrozenSettings(asking: AnsweringSpec, own: Config, home: string): Promise<ResolvedConfig> {
  const why = await whyOtherModels(asking, own)
  if (why !== undefined) throw new UsageError(`${why}.`)
  const theirs = Config.parse(asking.settings)
  const names = Object.keys(theirs.tools.servers)
  const { model: _, server: __, ...settings } = theirs
  const { trustMtime, segments, decoder, maxHours } = own.index
  const values = {
    ...settings,
    index: { ...theirs.index, trustMtime, segments, decoder, maxHours },
    models: modelsHere(asking.models, own),
    tools: {
      ...theirs.tools,
      files: [],
      servers: Object.fromEntries(names.map(name => [name, own.tools.servers[name]])),
    },
    fetch: own.fetch,
    serve: own.serve,
    limits: own.limits,
    output: own.output,
    cluster: own.cluster,
  }
  const runLayer = { values: JSON.parse(JSON.stringify(values)) as Tree, place: 'the run' }
  const config = await resolveConfig({ cwd: home, environment: {}, search: false, given: runLayer })
  return { ...config, chosen: { name: theirs.profile, why: 'the run began with it' } }
}

function modelsHere({ models }: FrozenIndex, own: Config): Partial<Record<Role, unknown>> {
  return Object.fromEntries(
    allRoles.map(role => [
      role,
      models[role] ? addLocalSettings(stripLocalSettings(models[role]), own.models[role]) : { backend: 'off' },
    ]),
  )
}
