import type { Host } from '../../../core/backend.ts'
import { errorText, LongtakeError } from '../../../core/errors.ts'
import type { RoleReport } from '../../../core/runtime.ts'
import type { Role } from '../../../core/services.ts'
import { loadChoice, type RoleChoice } from '../role-families.ts'

// Opens nothing heavy: a role is ready when its settings are valid and its needs are met.
export async function examineRole(role: Role, choice: RoleChoice, host: Host): Promise<RoleReport> {
  const { backend: name } = choice
  if (name === 'off') return { role, backend: 'off', state: 'off', detail: 'not used in this profile' }
  try {
    const { backend, settings } = await loadChoice(role, choice, host)
    for (const need of backend.needs?.(settings) ?? []) {
      if (!(await need.met(host)))
        return { role, backend: name, state: 'missing', detail: `needs ${need.name}`, mend: need.mend }
    }
    return { role, backend: name, state: 'ready', detail: backend.summary }
  } catch (error) {
    const mend = error instanceof LongtakeError ? error.hint : undefined
    return { role, backend: name, state: 'broken', detail: errorText(error), mend }
  }
}
