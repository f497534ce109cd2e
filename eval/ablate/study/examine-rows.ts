import type { Config } from '../../../src/config/schema.ts'
import type { Host } from '../../../src/core/backend.ts'
import { BackendError } from '../../../src/core/errors.ts'
import { stableJson } from '../../../src/core/json.ts'
import type { Role } from '../../../src/core/services.ts'
import { checkPlanner } from '../../../src/runtime/ask/open-agent.ts'
import { examineRole } from '../../../src/runtime/models/doctor/examine-role.ts'
import { Models } from '../../../src/runtime/models/models.ts'
import { loadChoice, type RoleChoice } from '../../../src/runtime/models/role-families.ts'
import { listPermissions, openToolbox } from '../../../src/runtime/tools/toolbox.ts'
import type { MatrixRow } from '../matrix/rows.ts'

// Every part that a row has of its own must be there before the first question of the base is paid for: files of models, servers
// with the models that are named, tools. Asks no model, and loads none but a planner that a graph shows pictures to.
export async function examineRow(row: MatrixRow, own: Config, base: Config, host: Host): Promise<void> {
  for (const role of Object.keys(own.models) as Role[]) {
    const choice = own.models[role]
    if (choice.backend !== 'off' && stableJson(choice) !== stableJson(base.models[role]))
      await examineChoice(row, role, choice, host)
  }
  const models = new Models(own.models, host)
  try {
    await checkPlanner(own.graph, async () => (await models.open('planner')).service)
    if (stableJson(own.tools) !== stableJson(base.tools)) await openToolbox(models, own.tools, listPermissions(own))
  } finally {
    await models.close()
  }
}

async function examineChoice(row: MatrixRow, role: Role, choice: RoleChoice, host: Host): Promise<void> {
  const { state, detail, mend } = await examineRole(role, choice, host)
  if (state !== 'ready') throw missing(row, role, detail, mend)
  const { backend, settings } = await loadChoice(role, choice, host)
  const listed = await backend.server?.models(settings as Record<string, unknown>, host)
  const { model } = choice
  if (!listed || typeof model !== 'string' || listed.includes(model) || listed.includes(`${model}:latest`)) return
  const there = listed.slice(0, 8).join(', ') || 'none'
  throw missing(row, role, `${backend.server?.name} has no model "${model}"`, `It has: ${there}.`)
}

function missing(row: MatrixRow, role: Role, what: string, mend: string | undefined): BackendError {
  return new BackendError(`The row "${row.name}" cannot run: models.${role}: ${what}.`, { hint: mend })
}
