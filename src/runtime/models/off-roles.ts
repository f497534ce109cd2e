import { roleNames } from '../../config/profiles.ts'
import type { ResolvedConfig } from '../../config/resolve.ts'
import type { Origin } from '../../config/tree.ts'
import { UsageError } from '../../core/errors.ts'
import { checkNames, howToFill } from './role-families.ts'

// Settings that a backend does not know are refused when it is opened; those that were typed before, as it may not be opened at all.
// Settings of a role that is off do nothing. One that was typed, or given by a program, is an error; one of a file or of the
// environment, which may be meant for another profile, is reported. A layer that turns the role off itself knows what it does.
export async function refuseSettingsOfOff(
  { settings, origins }: Pick<ResolvedConfig, 'settings' | 'origins'>,
  say: (line: string) => void,
): Promise<void> {
  for (const role of roleNames) {
    const typed = ([name, { layer }]: [string, Origin]) => layer === 'flag' && name.startsWith(`models.${role}.`)
    if (settings.models[role].backend !== 'off') {
      if ([...origins].some(typed)) await checkNames(role, settings.models[role])
      continue
    }
    const off = origins.get(`models.${role}.backend`)
    for (const [name, { layer, place }] of origins) {
      if (!name.startsWith(`models.${role}.`) || layer === off?.layer) continue
      const why = `the role "${role}" is off (${off?.place})`
      if (layer !== 'flag') say(`${name} in ${place} has no effect: ${why}.`)
      else throw new UsageError(`${name} has no effect: ${why}.`, { hint: await howToFill(role, name.split('.')[2]) })
    }
  }
}
