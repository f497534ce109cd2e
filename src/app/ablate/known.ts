import type { Known } from '../../../eval/ablate/matrix/words.ts'
import { graphNames } from '../../../graphs/index.ts'
import type { Config } from '../../config/schema.ts'
import { policyNames } from '../../core/policy.ts'
import { type Role, roles } from '../families.ts'
import { permissionsOf } from '../tools/permissions.ts'
import { builtIn } from '../tools/toolbox.ts'

// Everything that a matrix can name over this base.
export async function known(settings: Config): Promise<Known> {
  const names = Object.keys(roles) as Role[]
  const backends = await Promise.all(names.map(async role => [role, (await roles[role]()).names] as const))
  return {
    tools: builtIn(settings.tools, permissionsOf(settings)),
    policies: policyNames,
    graphs: graphNames,
    backends: Object.fromEntries(backends),
  }
}
