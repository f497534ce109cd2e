import { removedPolicySettings, removedRoles } from '../../core/settings.ts'
import { isTree, type SettingsLayer } from '../tree.ts'

const removedSettings = { policy: removedPolicySettings, models: removedRoles }

// Layers without the settings of policies and roles that were removed, and a line for the user on each layer that has some: files and
// runs of older releases name them, and go on.
export function withoutRemoved(layers: readonly SettingsLayer[]): { layers: SettingsLayer[]; notices: string[] } {
  const notices: string[] = []
  const cleaned = layers.map(withoutAutoEffort).map(layer => {
    const values = { ...layer.values }
    const removed: { path: [string, string]; why?: string }[] = []
    for (const [section, reasons] of Object.entries(removedSettings)) {
      const settings = values[section]
      if (!isTree(settings)) continue
      const names = Object.keys(settings).filter(name => Object.hasOwn(reasons, name))
      removed.push(...names.map(name => ({ path: [section, name] as [string, string], why: reasons[name] })))
      values[section] = Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))
    }
    const [first] = removed
    if (!first) return layer
    const named = removed.map(({ path, why }) => `${path.join('.')} (${why})`).join(', ')
    notices.push(`Settings that were removed have no effect in ${layer.place(first.path)}: ${named}. Leave them out.`)
    return { ...layer, values }
  })
  return { layers: cleaned, notices }
}

// "auto" was what medium is, which is the default.
function withoutAutoEffort(layer: SettingsLayer): SettingsLayer {
  if (layer.values.effort !== 'auto') return layer
  const { effort: _, ...values } = layer.values
  return { ...layer, values }
}
