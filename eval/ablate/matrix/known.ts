import { graphNames } from '../../../src/app/ask/ask.ts'
import { roles } from '../../../src/app/models/families.ts'
import { builtIn, permissionsOf } from '../../../src/app/tools/toolbox.ts'
import type { Config } from '../../../src/config/schema.ts'
import type { Role } from '../../../src/core/services.ts'
import { policyNames } from '../../../src/core/settings.ts'
import type { Known } from './words.ts'

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
