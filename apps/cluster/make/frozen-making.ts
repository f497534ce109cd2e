import { z } from 'zod'
import { loadRecipe } from '../../../eval/make/load-recipe.ts'
import { listChoices } from '../../../eval/make/machine/roles.ts'
import { SentMaking } from '../../../eval/make/machine/workers.ts'
import { makeRoles } from '../../../eval/recipes/item.ts'
import { Config } from '../../../src/config/schema.ts'
import type { Host } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { contentHash } from '../../../src/core/json.ts'
import { FrozenIndex, freezeIndex, readyHere } from '../../../src/runtime/index/frozen-index.ts'
import { addLocalSettings } from '../../../src/runtime/models/result-settings.ts'
import type { RoleChoice } from '../../../src/runtime/models/role-families.ts'
import type { StageNeed } from '../data/catalogue/videos.ts'
import type { Resource } from '../data/job.ts'
import type { Sql } from '../data/sql.ts'

// The models of one role, each as that of a writer: a role of a making is filled by any chat model.
const FrozenRole = FrozenIndex.pick({ models: true, chosen: true })

// Column `config` of a making: who is asked. Addresses and keys each machine has of its own.
export const FrozenMaking = z.strictObject({
  roles: z.record(z.enum(makeRoles), z.array(FrozenRole)),
  prices: Config.shape.prices,
})
export type FrozenMaking = z.infer<typeof FrozenMaking>

const KnownVideo = z.union([z.strictObject({ id: z.string() }), z.strictObject({ fault: z.string() })])

// Column `environment` of a making.
export const QueuedMaking = z.strictObject({
  making: SentMaking,
  queue: z.string(),
  videos: z.record(z.string(), KnownVideo), // by video_id
  money: z.number().optional(), // that may be spent, whoever spends it
})
export type QueuedMaking = z.infer<typeof QueuedMaking>

export async function freezeMaking(settings: Config, host: Host): Promise<FrozenMaking> {
  const frozen = async (choice: RoleChoice) => {
    const models = { ...settings.models, writer: choice }
    const { index: _, ...role } = await freezeIndex({ index: settings.index, models }, host, ['writer'])
    return role
  }
  const roles = makeRoles.map(async role => [role, await Promise.all(listChoices(settings, role).map(frozen))] as const)
  return {
    roles: Object.fromEntries(await Promise.all(roles)) as FrozenMaking['roles'],
    prices: settings.prices,
  }
}

// Which workers may ask for it: those with the same recipe and the same models. The heaviest of these says which slot it takes.
export function makingRequirements({ recipe, version }: SentMaking, { roles, prices }: FrozenMaking): StageNeed {
  const chosen = makeRoles.map(role => [role, (roles[role] ?? []).map(one => one.chosen.writer)] as const)
  const hash = contentHash({ recipe, version, chosen, prices }).slice(0, 8)
  const runs = new Set(chosen.flatMap(([, models]) => models.map(one => one?.runs)))
  const resource: Resource = (['gpu', 'cpu'] as const).find(one => runs.has(one)) ?? 'net'
  return { queue: `make.${recipe}.${hash}`, stage: 'make', backend: recipe, version: hash, resource }
}

// The settings of this machine with the models of the making: what of them belongs to a machine is its own.
export function withFrozenRoles({ roles, prices }: FrozenMaking, own: Config): Config {
  const models = makeRoles.map(role => {
    const choices = (roles[role] ?? []).map((one, at) => addLocalSettings(roleChoice(one), listChoices(own, role)[at]))
    return [role, role === 'blind' ? choices : (choices[0] ?? { backend: 'off' })] as const
  })
  const make = Object.fromEntries(models) as unknown as Config['make']
  return { ...own, make, prices, budget: { ...own.budget, money: undefined } } // the money is that of all machines together
}

// Whether this machine can ask for the makings of a queue.
export async function servesMakings(
  sql: Sql,
  { queue }: StageNeed,
  { own, host }: { own: Config; host: Host },
): Promise<string | true> {
  const { rows } = await sql.query<{ environment: unknown; config: unknown }>(
    `select run.environment, run.config from longtake.run join longtake.request on request.config = run.id
     where request.kind = 'bench' and request.state = 'open' and run.environment ->> 'queue' = $1 limit 1`,
    [queue],
  )
  if (rows.length === 0) return 'no making asks for it now'
  const queued = QueuedMaking.safeParse(rows[0]?.environment).data
  const frozen = FrozenMaking.safeParse(rows[0]?.config).data
  if (!queued || !frozen) return 'its making was begun by another version'
  const { recipe, version } = queued.making
  if ((await loadRecipe(recipe)).version !== version) return `the recipe ${recipe} is here in another version`
  return (await whyNotAsked(frozen, own, host)) ?? true
}

async function whyNotAsked({ roles }: FrozenMaking, own: Config, host: Host): Promise<string | undefined> {
  for (const role of makeRoles)
    for (const [at, frozen] of (roles[role] ?? []).entries()) {
      const writer = listChoices(own, role)[at] ?? { backend: 'off' }
      const { writer: ready } = await readyHere(frozen, { ...own.models, writer }, host)
      if (ready !== true) return `make.${role}: ${String(ready).replace('models.writer', 'it')}`
    }
  return undefined
}

function roleChoice({ models }: z.infer<typeof FrozenRole>): RoleChoice {
  if (models.writer) return models.writer
  throw new UsageError('The making names a role without a model.', { hint: 'Begin it again with this version.' })
}
