import { PolicySettings } from '../../graphs/policy/settings.ts'
import { UsageError, unknownName } from '../core/errors.ts'

// The policies as they are set, with their defaults; a name or value that does not fit is told with its place.
export function policySettings(given: Readonly<Record<string, unknown>>): PolicySettings {
  const names = Object.keys(PolicySettings.shape)
  const unknown = Object.keys(given).find(name => !names.includes(name))
  if (unknown) throw unknownName('policy', unknown, names)
  const parsed = PolicySettings.safeParse(given)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]
  throw new UsageError(`policy.${path.join('.')}: ${message}.`, {
    hint: 'Policies are switched with on and off, limits take a number.',
  })
}
